#include "net/host_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Url url_of(std::string_view text) {
  return Url::parse(text).value();
}

// Empty: allowed.
std::string judged(const HostPolicy& policy, std::string_view text) {
  const Result<void> judgement = policy.judge_name(url_of(text));
  if (judgement.ok()) return "";
  EXPECT_EQ(judgement.error().code, ErrorCode::HostNotAllowed);
  return judgement.error().message;
}

HostPolicy allowing(std::string_view entry) {
  return HostPolicy({AllowedHost::parse(entry).value()});
}

TEST(HostPolicy, LetsPublicHostsThrough) {
  const HostPolicy policy;
  for (const std::string_view text :
       {"https://example.com/", "http://93.184.216.34/", "http://[2606:2800:220:1::1]/",
        "http://example.com:8080/", "https://example.com:8443/", "http://example.com:3000/",
        "http://notlocalhost.example/", "http://mylocal.example/", "http://internal.example.com/"})
    EXPECT_EQ(judged(policy, text), "") << text;
}

// REQ: BLT-4
TEST(HostPolicy, RefusesNamesThatMeanThisNetwork) {
  const HostPolicy policy;
  for (const std::string_view text :
       {"http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://printer.local/",
        "http://metadata.google.internal/", "http://x.internal./", "http://a.home.arpa/",
        "http://x.localdomain/", "http://nas.lan/", "http://metadata/", "http://intranet/",
        "http://router.home/", "http://wiki.corp/"})
    EXPECT_THAT(judged(policy, text), HasSubstr("only public hosts")) << text;
}

TEST(HostPolicy, RefusesPortsOfOtherServices) {
  const HostPolicy policy;
  for (const int port : {1,    22,   25,   53,   110,   179,   465,  587,   993,  1023, 2375,
                         3306, 5432, 6379, 9200, 11211, 27017, 6000, 10250, 2379, 5900})
    EXPECT_THAT(judged(policy, "http://example.com:" + std::to_string(port) + "/"),
                HasSubstr("not one for the web"))
        << port;
}

TEST(HostPolicy, RefusesANameForOneBadAddress) {
  const HostPolicy policy;
  const Url url = url_of("http://example.com/");
  EXPECT_TRUE(policy.judge_address(url, *IpAddress::parse("93.184.216.34")).ok());
  const Result<void> judgement = policy.judge_address(url, *IpAddress::parse("10.0.0.1"));
  ASSERT_FALSE(judgement.ok());
  EXPECT_EQ(judgement.error().message,
            "'example.com' has the address 10.0.0.1, an address of a private network; only public "
            "addresses are reached");
}

TEST(HostPolicy, SaysExactlyWhatWouldAllowIt) {
  const Result<void> judgement = HostPolicy().judge_name(url_of("http://[::1]:8080/x?secret"));
  ASSERT_FALSE(judgement.ok());
  EXPECT_EQ(judgement.error().message,
            "'::1' is a loopback address; only public addresses are reached");
  EXPECT_THAT(judgement.error().suggestion, HasSubstr("`--allow-host [::1]:8080`"));
  EXPECT_THAT(judgement.error().suggestion,
              HasSubstr("policy: { http: { allow: [\"[::1]:8080\"] } }"));
  EXPECT_THAT(judgement.error().suggestion, Not(HasSubstr("secret")));
}

// REQ: DEC-6
TEST(HostPolicy, ExemptsExactlyWhatTheOperatorNamed) {
  const HostPolicy policy = allowing("127.0.0.1:8080");
  EXPECT_TRUE(policy.allows(url_of("http://127.0.0.1:8080/x")));
  EXPECT_TRUE(policy.allows(url_of("https://2130706433:8080/x")));
  EXPECT_EQ(judged(policy, "http://127.0.0.1:8080/x"), "");
  EXPECT_TRUE(
      policy.judge_address(url_of("http://127.0.0.1:8080/"), *IpAddress::parse("127.0.0.1")).ok());
  for (const std::string_view text :
       {"http://127.0.0.1/", "http://127.0.0.1:8081/", "http://127.0.0.2:8080/",
        "http://localhost:8080/", "http://[::ffff:127.0.0.1]:8080/"})
    EXPECT_NE(judged(policy, text), "") << text;
}

TEST(HostPolicy, TakesAnEntryWithoutAPortForTheDefaultPorts) {
  const HostPolicy policy = allowing("intranet");
  EXPECT_EQ(judged(policy, "http://intranet/"), "");
  EXPECT_EQ(judged(policy, "https://intranet/"), "");
  EXPECT_NE(judged(policy, "http://intranet:8080/"), "");
  EXPECT_NE(judged(policy, "http://sub.intranet/"), "");
  EXPECT_TRUE(policy.judge_address(url_of("http://intranet/"), *IpAddress::parse("10.0.0.1")).ok());
}

TEST(AllowedHost, ReadsHostsAsUrlsDo) {
  using Entry = AllowedHost;
  EXPECT_EQ(Entry::parse("127.0.0.1:8080").value(), (Entry{.host = "127.0.0.1", .port = 8080}));
  EXPECT_EQ(Entry::parse("Intranet.Example.").value(), (Entry{.host = "intranet.example"}));
  EXPECT_EQ(Entry::parse("[0::1]:80").value(), (Entry{.host = "::1", .port = 80}));
  EXPECT_EQ(Entry::parse("[::1]").value(), (Entry{.host = "::1"}));
  EXPECT_EQ(Entry::parse("127.1:65535").value(), (Entry{.host = "127.0.0.1", .port = 65535}));
}

TEST(AllowedHost, SaysWhatIsWrongWithAnEntry) {
  for (const std::string_view text :
       {"",         ":",   ":80",           "a:",      "a:0",  "a:65536", "a:x",
        "a b",      "*",   "*.example.com", "::1",     "[::1", "[::1]x",  "[::1]:",
        "http://a", "a/b", "u@a",           "a:80:80", "a?b",  "a..b",    "1.2.3.256"}) {
    const Result<AllowedHost> entry = AllowedHost::parse(text);
    ASSERT_FALSE(entry.ok()) << text;
    EXPECT_EQ(entry.error().code, ErrorCode::Config);
    EXPECT_THAT(entry.error().suggestion, HasSubstr("127.0.0.1:8080"));
  }
  EXPECT_THAT(AllowedHost::parse("http://u:hunter2@a").error().message, Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace goondan::net
