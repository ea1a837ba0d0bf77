#include "net/request_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using testing::HasSubstr;
using testing::Not;

Outgoing request(std::string method, std::vector<Header> headers = {}, std::string_view body = {}) {
  return {.method = std::move(method),
          .url = Url::parse("http://example.com:8080/a%20b?c=d#e").value(),
          .headers = std::move(headers),
          .body = body};
}

TEST(RequestWriter, WritesTheLineTheHostAndTheDefaults) {
  const std::string head = write_head(request("GET"));
  EXPECT_TRUE(head.starts_with("GET /a%20b?c=d HTTP/1.1\r\nHost: example.com:8080\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nUser-Agent: goondan/"));
  EXPECT_THAT(head, HasSubstr("\r\nAccept-Encoding: gzip\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Content-Length")));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(RequestWriter, LetsTheCallerSayItOtherwise) {
  const std::string head = write_head(request(
      "GET", {{"user-agent", "me"}, {"ACCEPT", "text/html"}, {"Accept-encoding", "deflate"}}));
  EXPECT_EQ(head,
            "GET /a%20b?c=d HTTP/1.1\r\nHost: example.com:8080\r\nuser-agent: me\r\n"
            "ACCEPT: text/html\r\nAccept-encoding: deflate\r\n\r\n");
}

TEST(RequestWriter, DoesNotAskForCodingsThatCannotBeDecoded) {
  for (const std::string_view value :
       {"br", "gzip, deflate, br, zstd", "gzip;q=0.5, br;q=1", "*"}) {
    const std::string head =
        write_head(request("GET", {{"Accept-Encoding", std::string(value)}, {"X-Mine", "1"}}));
    EXPECT_THAT(head, HasSubstr("\r\nX-Mine: 1\r\n")) << value;
    EXPECT_THAT(head, HasSubstr("\r\nAccept-Encoding: gzip\r\n")) << value;
    EXPECT_THAT(head, Not(HasSubstr("Encoding: " + std::string(value) + "\r\n"))) << value;
  }
}

TEST(RequestWriter, SaysHowLongABodyIs) {
  EXPECT_THAT(write_head(request("POST", {}, "hello")), HasSubstr("\r\nContent-Length: 5\r\n"));
  EXPECT_THAT(write_head(request("POST")), HasSubstr("\r\nContent-Length: 0\r\n"));
  EXPECT_THAT(write_head(request("DELETE", {}, "x")), HasSubstr("\r\nContent-Length: 1\r\n"));
}

TEST(RequestWriter, AsksForAPartUncompressed) {
  EXPECT_THAT(write_head(request("GET", {{"Range", "bytes=0-9"}})),
              HasSubstr("\r\nAccept-Encoding: identity\r\n"));
}

// REQ: BLT-4
TEST(RequestWriter, RefusesHeadersThatWouldInjectOthers) {
  for (const std::string& value :
       {std::string("a\r\nX: y"), std::string("a\nb"), std::string("a\rb"), std::string("a\0b", 3),
        std::string("\x7f")}) {
    const auto checked = check_request(request("GET", {{"X-A", value}}));
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().code, ErrorCode::ToolInvalidArgs);
    EXPECT_THAT(checked.error().message, HasSubstr("'X-A'"));
  }
  for (const std::string& name :
       {std::string(""), std::string("A B"), std::string("A:"), std::string("A\r\nB"),
        std::string("A\0", 2), std::string("K\xc3\xb6nig")}) {
    EXPECT_EQ(check_request(request("GET", {{name, "v"}})).error().code, ErrorCode::ToolInvalidArgs)
        << name;
  }
  EXPECT_TRUE(check_request(request("GET", {{"X-A", "tab\tand \xc3\xb6"}})).ok());
}

// REQ: BLT-4
TEST(RequestWriter, RefusesHeadersThatAreNotTheCallersToSet) {
  for (const std::string_view name :
       {"Host", "content-length", "Transfer-Encoding", "CONNECTION", "Keep-Alive", "Upgrade", "TE",
        "Trailer", "Expect", "Proxy-Authorization", "proxy-connection", "Metadata",
        "Metadata-Flavor", "X-aws-ec2-metadata-token", "x-aws-ec2-metadata-token-ttl-seconds"}) {
    const auto checked = check_request(request("GET", {{std::string(name), "v"}}));
    ASSERT_FALSE(checked.ok()) << name;
    EXPECT_THAT(checked.error().message, HasSubstr("may not be set"));
  }
  EXPECT_TRUE(check_request(request("GET", {{"Authorization", "Bearer x"}, {"Cookie", "a"}})).ok());
}

TEST(RequestWriter, RefusesMethodsThatAreNone) {
  for (const std::string_view method : {"", "GET /x", "GET\r\n", "CONNECT", "TRACE"}) {
    EXPECT_EQ(check_request(request(std::string(method))).error().code, ErrorCode::ToolInvalidArgs);
  }
  EXPECT_TRUE(check_request(request("PATCH")).ok());
}

TEST(RequestWriter, RefusesTooMuchHead) {
  EXPECT_EQ(check_request(request("GET", {{"A", std::string(70000, 'a')}})).error().code,
            ErrorCode::ToolInvalidArgs);
  const std::vector<Header> many(kMaxRequestHeaders + 1, {"a", "b"});
  EXPECT_EQ(check_request(request("GET", many)).error().code, ErrorCode::ToolInvalidArgs);
}

TEST(RequestWriter, RefusesAUrlPutTogetherByHandThatWouldSplitTheRequest) {
  Outgoing made = request("GET");
  made.url.path = "/a HTTP/1.1\r\nX: y";
  EXPECT_EQ(check_request(made).error().code, ErrorCode::UrlInvalid);
}

}  // namespace
}  // namespace goondan::net
