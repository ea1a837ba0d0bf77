#include "net/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string normalised(std::string_view text) {
  const Result<Url> url = Url::parse(text);
  return url.ok() ? url->text() : "error: " + url.error().message;
}

Error refusal(std::string_view text) {
  const Result<Url> url = Url::parse(text);
  EXPECT_FALSE(url.ok()) << text;
  return url.ok() ? Error() : url.error();
}

TEST(Url, TakesAUrlApart) {
  const Result<Url> url = Url::parse("HTTPS://Example.COM:8443/a/b?q=1#top");
  ASSERT_TRUE(url.ok());
  EXPECT_EQ(*url, (Url{.scheme = Scheme::Https,
                       .host = "example.com",
                       .port = 8443,
                       .path = "/a/b",
                       .query = "?q=1",
                       .fragment = "#top"}));
  EXPECT_EQ(url->origin(), "https://example.com:8443");
  EXPECT_EQ(url->target(), "/a/b?q=1");
  EXPECT_EQ(url->host_header(), "example.com:8443");
  EXPECT_EQ(url->safe_text(), "https://example.com:8443/a/b");
}

TEST(Url, LeavesTheDefaultPortOutButKnowsIt) {
  const Result<Url> url = Url::parse("http://[2606::1]:80/");
  ASSERT_TRUE(url.ok());
  EXPECT_EQ(url->port, 80);
  EXPECT_EQ(url->text(), "http://[2606::1]/");
  EXPECT_EQ(url->host_header(), "[2606::1]");
  EXPECT_EQ(url->origin(), "http://[2606::1]:80");
  EXPECT_EQ(normalised("https://example.com:/"), "https://example.com/");
  EXPECT_EQ(normalised("https://example.com:80/"), "https://example.com:80/");
  EXPECT_EQ(normalised("https://example.com:00443/"), "https://example.com/");
}

// REQ: DEC-6
TEST(Url, NormalisesPathQueryAndFragment) {
  EXPECT_EQ(normalised("http://example.com"), "http://example.com/");
  EXPECT_EQ(normalised("http://example.com?q"), "http://example.com/?q");
  EXPECT_EQ(normalised("http://example.com#f"), "http://example.com/#f");
  EXPECT_EQ(normalised("http://example.com/한?q=한#한"),
            "http://example.com/%ED%95%9C?q=%ED%95%9C#%ED%95%9C");
  EXPECT_EQ(normalised("http://example.com/a b?c d#e f"), "http://example.com/a%20b?c%20d#e%20f");
  EXPECT_EQ(normalised("http://example.com/%7e%zz%?a%20b&'<>\""),
            "http://example.com/%7e%zz%?a%20b&%27%3C%3E%22");
  EXPECT_EQ(normalised("http://example.com/{a}|~?{a}|~"), "http://example.com/%7Ba%7D|~?{a}|~");
  EXPECT_EQ(normalised("http://example.com/?"), "http://example.com/?");
  EXPECT_EQ(normalised("http://example.com/#"), "http://example.com/#");
}

TEST(Url, ResolvesDotSegmentsHoweverTheyAreWritten) {
  EXPECT_EQ(normalised("http://h.example/a/./b/../c"), "http://h.example/a/c");
  EXPECT_EQ(normalised("http://h.example/a/%2e%2E/b/.%2e/c"), "http://h.example/c");
  EXPECT_EQ(normalised("http://h.example/../../x"), "http://h.example/x");
  EXPECT_EQ(normalised("http://h.example/a/.."), "http://h.example/");
  EXPECT_EQ(normalised("http://h.example/a/."), "http://h.example/a/");
  EXPECT_EQ(normalised("http://h.example/a//../b"), "http://h.example/a/b");
  EXPECT_EQ(normalised("http://h.example//"), "http://h.example//");
  EXPECT_EQ(normalised("http://h.example/.../..a"), "http://h.example/.../..a");
}

TEST(Url, ReadsEverySpellingOfAnIpv4Address) {
  for (const std::string_view host :
       {"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "0177.0.0.1",
        "017700000001", "127.0.0.1.", "%31%32%37.0.0.1", "127%2e0%2E0.1", "0x7f.0.0.0x1",
        "00000000177.0.0.1", "0x0000007f.1"})
    EXPECT_EQ(normalised("http://" + std::string(host) + "/"), "http://127.0.0.1/") << host;
  EXPECT_EQ(normalised("http://0/"), "http://0.0.0.0/");
  EXPECT_EQ(normalised("http://0x/"), "http://0.0.0.0/");
  EXPECT_EQ(normalised("http://4294967295/"), "http://255.255.255.255/");
}

TEST(Url, RefusesNumbersThatAreNoAddress) {
  for (const std::string_view host :
       {"4294967296", "256.1.1.1", "1.2.3.256", "1.2.65536", "1.16777216", "1.2.3.4.5", "08.1.1.1",
        "1.2.3.09", "a.1", "example.0x1", "1..2", ".1", "1.2.3.4..", "0xg.1",
        "99999999999999999999999999", "0x99999999999999999999"})
    EXPECT_EQ(refusal("http://" + std::string(host) + "/").code, ErrorCode::UrlInvalid) << host;
}

TEST(Url, KnowsAHostInOneFormOnly) {
  EXPECT_EQ(normalised("http://LOCALHOST./"), "http://localhost/");
  EXPECT_EQ(normalised("http://ex%61mple.com/"), "http://example.com/");
  EXPECT_EQ(normalised("http://[0:0::1]/"), "http://[::1]/");
  EXPECT_EQ(normalised("http://[::FFFF:127.0.0.1]:8080/"), "http://[::ffff:7f00:1]:8080/");
  EXPECT_EQ(normalised("http://my_host.example.com/"), "http://my_host.example.com/");
}

TEST(Url, RefusesHostsThatAreNone) {
  const std::string label(64, 'a');
  std::string name;
  while (name.size() <= 253)
    name += "abcdefgh.";
  for (const std::string& host : {std::string(""),
                                  std::string("."),
                                  std::string("a..b"),
                                  std::string(".a"),
                                  label,
                                  name,
                                  std::string("a b"),
                                  std::string("a%20b"),
                                  std::string("a%00b"),
                                  std::string("%"),
                                  std::string("a%2fb"),
                                  std::string("a%40b"),
                                  std::string("%2531"),
                                  std::string("a<b"),
                                  std::string("b\xc3\xbc"
                                              "cher.de"),
                                  std::string("%C3%BC.de"),
                                  std::string("\xef\xbc\x91.1.1.1"),
                                  std::string("1\xe3\x80\x82"
                                              "1.1.1"),
                                  std::string("[::1"),
                                  std::string("::1"),
                                  std::string("[::1]x"),
                                  std::string("[]"),
                                  std::string("[1.2.3.4]"),
                                  std::string("[::1%25eth0]"),
                                  std::string("[fe80::1%1]"),
                                  std::string("[v1.x]"),
                                  std::string("fe80::1")})
    EXPECT_EQ(refusal("http://" + host + "/").code, ErrorCode::UrlInvalid) << host;
  EXPECT_THAT(refusal("http://b\xc3\xbc"
                      "cher.de/")
                  .message,
              HasSubstr("punycode"));
}

TEST(Url, RefusesPortsThatAreNone) {
  for (const std::string_view port :
       {"0", "65536", "99999", "80:80", "-1", "+80", "8x", " 80", "%38", "999999999999999999999"})
    EXPECT_EQ(refusal("http://example.com:" + std::string(port) + "/").code, ErrorCode::UrlInvalid)
        << port;
  EXPECT_EQ(normalised("http://example.com:65535/"), "http://example.com:65535/");
}

TEST(Url, RefusesWhatReadsInTwoWays) {
  for (const std::string_view text :
       {"http:///127.0.0.1/", "http:127.0.0.1/", "http:/127.0.0.1/", "http:\\\\127.0.0.1/",
        "http://good.test\\@127.0.0.1/", "http://a/b\\c", "http:////x/", " http://example.com/",
        "http://example.com/ ", "ht\ttp://example.com/", "http://exam\nple.com/",
        "http://example.com/\r\nX: 1", "http://example.com/\x7f", "://x", "//example.com/",
        "example.com", "", "http://", "1http://x/"})
    EXPECT_EQ(refusal(text).code, ErrorCode::UrlInvalid) << text;
  EXPECT_EQ(refusal(std::string_view("http://a.b/\0x", 13)).code, ErrorCode::UrlInvalid);
  EXPECT_EQ(refusal("http://a.b/" + std::string(20'000, 'a')).code, ErrorCode::UrlInvalid);
}

// REQ: BLT-4
TEST(Url, NamesTheProtocolItRefuses) {
  EXPECT_EQ(refusal("FTP://x/y").message,
            "Unsupported protocol 'ftp:'. Only http: and https: are allowed.");
  for (const std::string_view text :
       {"file:///etc/passwd", "FILE:///x", "gopher://x/", "dict://x/", "ftp://x/",
        "data:text/plain,x", "jar:http://x!/", "javascript:alert(1)", "ws://x/"})
    EXPECT_THAT(refusal(text).message, HasSubstr("Unsupported protocol")) << text;
  EXPECT_THAT(refusal("localhost:8080/x").suggestion, HasSubstr("https://"));
}

// REQ: BLT-5
TEST(Url, ShowsNoCredentialsAndNoQueryInMessages) {
  for (const std::string_view text :
       {"http://user:hunter2@example.com/", "http://hunter2@example.com/",
        "http://user:hunter2@example.com:99999/", "http:user:hunter2@example.com",
        "http:\\\\user:hunter2@example.com", "http://user:a?hunter2@example.com/",
        "http://user:hunter2#x@example.com/", "http://user:hunter2/x@example.com/",
        "http://example.com:0/?token=hunter2", "http://example.com:0/#hunter2",
        "hunter2@example.com", "user:hunter2@example.com:99"})
    EXPECT_THAT(refusal(text).message, Not(HasSubstr("hunter2"))) << text;
  EXPECT_EQ(refusal("not a url").message, "Invalid URL: not a url");
}

TEST(Url, ShowsAHarmlessPieceOfALongOrBrokenText) {
  EXPECT_LT(refusal(std::string(100'000, 'x')).message.size(), 300U);
  EXPECT_EQ(refusal("a\x1b[31m\xff").message,
            "Invalid URL: a [31m\xef\xbf\xbd (it holds a control character, such as a tab or a "
            "line break)");
}

TEST(Url, ResolvesReferences) {
  const Result<Url> base = Url::parse("http://example.com:8080/a/b?q=1#f");
  ASSERT_TRUE(base.ok());
  const auto resolved = [&base](std::string_view reference) {
    const Result<Url> url = base->resolve(reference);
    return url.ok() ? url->text() : "error";
  };
  EXPECT_EQ(resolved("c"), "http://example.com:8080/a/c");
  EXPECT_EQ(resolved("../c?x"), "http://example.com:8080/c?x");
  EXPECT_EQ(resolved("/c d"), "http://example.com:8080/c%20d");
  EXPECT_EQ(resolved("?x"), "http://example.com:8080/a/b?x");
  EXPECT_EQ(resolved("#x"), "http://example.com:8080/a/b?q=1#x");
  EXPECT_EQ(resolved(""), "http://example.com:8080/a/b?q=1");
  EXPECT_EQ(resolved("//[::ffff:127.0.0.1]/"), "http://[::ffff:7f00:1]/");
  EXPECT_EQ(resolved("https://other.example"), "https://other.example/");
  EXPECT_EQ(resolved("./a:b"), "http://example.com:8080/a/a:b");
  for (const std::string_view reference : {"file:///etc/passwd", "javascript:1", "http:x", "//",
                                           "///x", "\\\\x", "//u@x/", "a\nb", "//x:0/"})
    EXPECT_EQ(resolved(reference), "error") << reference;
}

}  // namespace
}  // namespace goondan::net
