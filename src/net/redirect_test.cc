#include "net/redirect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using testing::HasSubstr;

Outgoing request(std::string method, std::string_view body = {}) {
  return {.method = std::move(method),
          .url = Url::parse("https://a.example/x/y?token=secret").value(),
          .headers = {{"Authorization", "Bearer s"},
                      {"Content-Type", "text/plain"},
                      {"Cookie", "c"},
                      {"X-Api-Key", "k"},
                      {"Accept", "text/html"},
                      {"User-Agent", "me"}},
          .body = body};
}

ResponseHead head(int status, std::string location) {
  return {.status = status, .headers = {{"location", std::move(location)}}};
}

TEST(Redirect, IsOneOfFiveCodesWithALocation) {
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_TRUE(is_redirect(head(status, "/"))) << status;
    EXPECT_FALSE(is_redirect({.status = status})) << status;
  }
  for (const int status : {200, 300, 304, 305, 306, 404}) {
    EXPECT_FALSE(is_redirect(head(status, "/"))) << status;
  }
}

TEST(Redirect, KeepsEverythingOnTheSameOrigin) {
  const Outgoing next = follow_redirect(request("POST", "b"), head(307, "../z")).value();
  EXPECT_EQ(next.url.text(), "https://a.example/z");
  EXPECT_EQ(next.method, "POST");
  EXPECT_EQ(next.body, "b");
  EXPECT_EQ(next.headers, request("POST").headers);
}

TEST(Redirect, TurnsPostIntoGetWithoutItsBody) {
  for (const int status : {301, 302, 303}) {
    const Outgoing next = follow_redirect(request("POST", "b"), head(status, "/z")).value();
    EXPECT_EQ(next.method, "GET");
    EXPECT_EQ(next.body, "");
    EXPECT_EQ(find_header(next.headers, "content-type"), nullptr);
    EXPECT_NE(find_header(next.headers, "authorization"), nullptr);
  }
  EXPECT_EQ(follow_redirect(request("PUT", "b"), head(303, "/z"))->method, "GET");
  EXPECT_EQ(follow_redirect(request("PUT", "b"), head(302, "/z"))->method, "PUT");
  EXPECT_EQ(follow_redirect(request("HEAD"), head(303, "/z"))->method, "HEAD");
}

// REQ: BLT-4
TEST(Redirect, TakesOnlyHarmlessHeadersToAnotherOrigin) {
  for (const std::string location :
       {"https://b.example/", "https://a.example:8443/", "//b.example/"}) {
    const Outgoing next = follow_redirect(request("GET"), head(302, location)).value();
    EXPECT_EQ(next.headers, (std::vector<Header>{{"Accept", "text/html"}, {"User-Agent", "me"}}));
  }
}

// REQ: BLT-4
TEST(Redirect, DoesNotSendABodyToAnotherOrigin) {
  for (const int status : {307, 308}) {
    const Result<Outgoing> next =
        follow_redirect(request("POST", "b"), head(status, "https://b.example/?t=secret"));
    ASSERT_FALSE(next.ok());
    EXPECT_EQ(next.error().code, ErrorCode::HostNotAllowed);
    EXPECT_THAT(next.error().message, HasSubstr("not sent again"));
    EXPECT_THAT(next.error().message, testing::Not(HasSubstr("secret")));
  }
  EXPECT_FALSE(follow_redirect(request("DELETE"), head(308, "https://b.example/")).ok());
  EXPECT_EQ(follow_redirect(request("POST", "b"), head(302, "https://b.example/"))->method, "GET");
  EXPECT_EQ(follow_redirect(request("GET"), head(307, "https://b.example/"))->method, "GET");
}

// REQ: BLT-4
TEST(Redirect, RefusesTheWayFromHttpsToHttpAndToOtherSchemes) {
  EXPECT_EQ(follow_redirect(request("GET"), head(302, "http://a.example/")).error().code,
            ErrorCode::HostNotAllowed);
  for (const std::string location : {"file:///etc/passwd", "gopher://x/", "https://u:p@b.example/",
                                     "https://b.example:99999/"}) {
    const Result<Outgoing> next = follow_redirect(request("GET"), head(302, location));
    ASSERT_FALSE(next.ok()) << location;
    EXPECT_EQ(next.error().code, ErrorCode::UrlInvalid);
    EXPECT_THAT(next.error().message, HasSubstr("GET https://a.example/x/y was redirected"));
  }
}

}  // namespace
}  // namespace goondan::net
