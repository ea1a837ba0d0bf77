// The cases of an attack on the address guard that need no network, by their numbers; the others
// are in `tests/e2e/ssrf_test.py`. What matters is that a request is refused before anything is
// resolved or connected, whether by the parser or by the judge.
#include <gtest/gtest.h>

#include "net/host_policy.h"
#include "net/test_server.h"
#include "net/url.h"

namespace goondan::net {
namespace {

struct Case {
  int number;
  std::string_view url;
};

constexpr Case kRefused[] = {
    {1, "http://127.0.0.1/"},
    {1, "https://127.0.0.1/"},
    {2, "http://localhost/"},
    {2, "http://LOCALHOST./"},
    {2, "http://a.localhost/"},
    {3, "http://2130706433/"},
    {4, "http://0x7f000001/"},
    {5, "http://0177.0.0.1/"},
    {6, "http://127.1/"},
    {7, "http://0/"},
    {7, "http://0.0.0.0/"},
    {8, "http://127.0.0.1./"},
    {9, "http://[::1]/"},
    {10, "http://[::]/"},
    {11, "http://[::ffff:127.0.0.1]/"},
    {12, "http://[::ffff:a9fe:a9fe]/"},
    {13, "http://[::127.0.0.1]/"},
    {14, "http://[64:ff9b::7f00:1]/"},
    {14, "http://[64:ff9b:1::7f00:1]/"},
    {15, "http://[2002:7f00:1::]/"},
    {16, "http://[fe80::1%25eth0]/"},
    {16, "http://[fe80::1%eth0]/"},
    {16, "http://[fe80::1]/"},
    {17, "http://[fd00:ec2::254]/"},
    {18, "http://[fec0::1]/"},
    {19, "http://[ff02::1]/"},
    {20, "http://169.254.169.254/latest/meta-data/"},
    {21, "http://metadata.google.internal/"},
    {21, "http://metadata/"},
    {22, "http://168.63.129.16/"},
    {23, "http://100.100.100.200/"},
    {23, "http://192.0.0.192/"},
    {24, "http://10.0.0.1/"},
    {24, "http://172.16.0.1/"},
    {24, "http://192.168.0.1/"},
    {25, "http://100.64.0.1/"},
    {26, "http://198.18.0.1/"},
    {26, "http://192.0.2.1/"},
    {26, "http://224.0.0.1/"},
    {26, "http://255.255.255.255/"},
    {27, "http://%31%32%37.0.0.1/"},
    {28, "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/"},  // full-width digits
    {28,
     "http://127\xe3\x80\x82"
     "0.0.1/"},                          // an ideographic full stop
    {28, "http://\xe2\x91\xa0.0.0.1/"},  // a circled digit
    {29, "http://user:pw@127.0.0.1/"},
    {29, "http://good.test@127.0.0.1/"},
    {30, "http://127.0.0.1#@good.test/"},
    {31, "http://127.0.0.1\\@good.test/"},
    {31, "http://good.test\\@127.0.0.1/"},
    {32, "http:///127.0.0.1/"},
    {32, "http:127.0.0.1/"},
    {32, "http:\\\\127.0.0.1/"},
    {33, "file:///etc/passwd"},
    {33, "FILE:///etc/passwd"},
    {33, "gopher://good.test/"},
    {33, "dict://good.test/"},
    {33, "ftp://good.test/"},
    {33, "data:text/plain,x"},
    {33, "jar:http://good.test!/"},
    {34, "http://good.test/\tx"},
    {34, "http://good\r.test/"},
    {34, "http://good.test/\nx"},
    {34, {"http://good.test\0/", 18}},
    {34, "http://good%00.test/"},
    {34, "http://good.test%0d%0a/"},
    {34, "http://good.test%09/"},
    {44, "http://good.test:22/"},
    {44, "http://good.test:25/"},
    {44, "http://good.test:6379/"},
    {44, "http://good.test:11211/"},
    {44, "http://good.test:0/"},
    {44, "http://good.test:99999/"},
    {44, "http://good.test:80:80/"},
};

// REQ: BLT-4
TEST(SsrfCases, AreRefusedBeforeAnythingIsResolved) {
  const HostPolicy policy;
  for (const Case& attack : kRefused) {
    const Result<Url> url = Url::parse(attack.url);
    EXPECT_FALSE(url.ok() && policy.judge_name(*url).ok())
        << "case " << attack.number << ": " << attack.url;
  }
}

TEST(SsrfCases, StayRefusedWhenAnotherHostIsAllowed) {
  const HostPolicy policy({AllowedHost::parse("127.0.0.1:8080").value()});
  for (const Case& attack : kRefused) {
    const Result<Url> url = Url::parse(attack.url);
    EXPECT_FALSE(url.ok() && policy.judge_name(*url).ok())
        << "case " << attack.number << ": " << attack.url;
  }
}

// The policy may have changed since the connection was made.
TEST(SsrfCases, FortySixAKeptConnectionIsJudgedAgain) {
  const TestServer server(answering(ok_answer("fine")));
  HttpClient client;
  ASSERT_TRUE(client.send(get(server.url()), server.policy()).ok());
  ASSERT_TRUE(client.send(get(server.url()), server.policy()).ok());
  EXPECT_EQ(server.accepted(), 1);
  const Result<Response> refused = client.send(get(server.url()), HostPolicy());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::HostNotAllowed);
}

TEST(SsrfCases, FiftyIsNoAttack) {
  EXPECT_TRUE(HostPolicy().judge_name(Url::parse("https://good.test/").value()).ok());
  const HostPolicy policy({AllowedHost::parse("127.0.0.1:8080").value()});
  EXPECT_TRUE(policy.judge_name(Url::parse("http://127.0.0.1:8080/").value()).ok());
}

}  // namespace
}  // namespace goondan::net
