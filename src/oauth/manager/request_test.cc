// What is asked for and answered, as JSON.
#include <gtest/gtest.h>

#include "oauth/manager.h"

namespace goondan::oauth {
namespace {

Result<TokenRequest> read_request(std::string_view text) {
  return TokenRequest::parse(parse_json(text).value());
}

// REQ: OAUTH-1
TEST(OAuthRequest, NamesTheApplicationAsAnObjectOrAText) {
  for (const char* text : {R"({"oauthAppRef": {"kind": "OAuthApp", "name": "slack-bot"}})",
                           R"({"oauthAppRef": "OAuthApp/slack-bot"})"}) {
    const TokenRequest request = read_request(text).value();
    EXPECT_EQ(request.app, "slack-bot");
    EXPECT_FALSE(request.scopes.has_value());
    EXPECT_EQ(request.min_ttl_seconds, 300);
  }
  const TokenRequest full =
      read_request(R"({"oauthAppRef": "OAuthApp/a", "scopes": ["x", "y"], "minTtlSeconds": 60})")
          .value();
  EXPECT_EQ(full.scopes, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(full.min_ttl_seconds, 60);
}

TEST(OAuthRequest, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "object"},
      {"{}", "oauthAppRef"},
      {R"({"oauthAppRef": 7})", "oauthAppRef"},
      {R"({"oauthAppRef": "Tool/x"})", "Tool/x"},
      {R"({"oauthAppRef": "OAuthApp/x", "scopes": "chat:write"})", "scopes"},
      {R"({"oauthAppRef": "OAuthApp/x", "scopes": [1]})", "scopes"},
      {R"({"oauthAppRef": "OAuthApp/x", "minTtlSeconds": "5"})", "minTtlSeconds"},
      {R"({"oauthAppRef": "OAuthApp/x", "minTtlSeconds": -1})", "minTtlSeconds"},
      {R"({"oauthAppRef": "OAuthApp/x", "minTtlSeconds": 1e18})", "minTtlSeconds"},
  };
  for (const auto& [text, named] : cases) {
    const Result<TokenRequest> request = read_request(text);
    ASSERT_FALSE(request.ok()) << text;
    EXPECT_EQ(request.error().code, ErrorCode::ToolInvalidArgs);
    EXPECT_NE(request.error().message.find(named), std::string::npos) << request.error().message;
  }
}

TEST(OAuthResult, HasTheThreeShapesOfTheSpecification) {
  EXPECT_EQ(to_json(TokenReady{.access_token = Secret("AT"),
                               .token_type = "bearer",
                               .expires_at = "2026-02-01T10:00:00Z",
                               .scopes = {"chat:write"}}),
            parse_json(R"({"status": "ready", "accessToken": "AT", "tokenType": "bearer",
                           "expiresAt": "2026-02-01T10:00:00Z", "scopes": ["chat:write"]})")
                .value());
  EXPECT_EQ(to_json(AuthorizationRequired{.session_id = "as-1",
                                          .authorization_url = "https://x.example/",
                                          .expires_at = "2026-01-31T09:20:01Z",
                                          .message = "Agree."}),
            parse_json(R"({"status": "authorization_required", "authSessionId": "as-1",
                           "authorizationUrl": "https://x.example/",
                           "expiresAt": "2026-01-31T09:20:01Z", "message": "Agree."})")
                .value());
  EXPECT_EQ(to_json(TokenError{.code = "c", .message = "m"}),
            parse_json(R"({"status": "error", "error": {"code": "c", "message": "m"}})").value());
}

}  // namespace
}  // namespace goondan::oauth
