#include "oauth/provider/refusal.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::oauth {
namespace {

TEST(Refusals, FollowTheCodesOfTheProvider) {
  EXPECT_EQ(refusal_of("invalid_grant"), Refusal::InvalidGrant);
  EXPECT_EQ(refusal_of("access_denied"), Refusal::Denied);
  EXPECT_EQ(refusal_of("expired_token"), Refusal::Expired);
  EXPECT_EQ(refusal_of("authorization_pending"), Refusal::Pending);
  EXPECT_EQ(refusal_of("slow_down"), Refusal::SlowDown);
  EXPECT_EQ(refusal_of("temporarily_unavailable"), Refusal::Retry);
  for (const char* code : {"invalid_client", "invalid_request", "unauthorized_client",
                           "unsupported_grant_type", "invalid_scope", "invalid_target", "", "x"}) {
    EXPECT_EQ(refusal_of(code), Refusal::Broken) << code;
  }
}

// REQ: OAUTH-7
TEST(Refusals, LeaveOutATextThatHoldsASecret) {
  const RequestSecrets secrets{"c0de+/=", "", "verifier"};
  EXPECT_EQ(shown_description("the code c0de+/= is spent", secrets), "");
  EXPECT_EQ(shown_description("code=c0de%2B%2F%3D", secrets), "");
  EXPECT_EQ(shown_description("xverifierx", secrets), "");
  EXPECT_EQ(shown_description("the code is spent", secrets), "the code is spent");
  EXPECT_EQ(shown_code("verifier", secrets), "");
}

TEST(Refusals, ShowOneBoundedLine) {
  EXPECT_EQ(shown_description("a\r\nb\x1b[31m\x7f\xc2\x9bz", {}), "a  b [31m  z");
  EXPECT_EQ(shown_description("\xff\xfeok", {}), "  ok");
  std::string words;
  for (int i = 0; i < 300; ++i) {
    words += "é";
  }
  EXPECT_EQ(utf8::length(shown_description(words, {})), 200);
  EXPECT_EQ(shown_code("bad code", {}), "");
  EXPECT_EQ(shown_code(std::string(65, 'x'), {}), "");
  EXPECT_EQ(shown_code("invalid_grant", {}), "invalid_grant");
}

TEST(Refusals, TakeTheNetworkForNoAnswer) {
  EXPECT_EQ(unanswered({.code = ErrorCode::Network, .message = ""}).refusal, Refusal::Retry);
  EXPECT_EQ(unanswered({.code = ErrorCode::NetworkTimeout, .message = ""}).refusal, Refusal::Retry);
  EXPECT_EQ(unanswered({.code = ErrorCode::ToolCancelled, .message = ""}).refusal, Refusal::Retry);
  EXPECT_EQ(unanswered({.code = ErrorCode::HostNotAllowed, .message = ""}).refusal,
            Refusal::Broken);
  EXPECT_EQ(unanswered({.code = ErrorCode::HttpResponse, .message = ""}).refusal, Refusal::Retry);
}

}  // namespace
}  // namespace goondan::oauth
