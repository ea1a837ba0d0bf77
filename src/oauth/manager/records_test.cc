// Records as S3 §12.5.4 and §12.5.5 show them.
#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "oauth/manager/grant_record.h"
#include "oauth/manager/session_record.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

constexpr std::int64_t kThen = 1769850601;  // 2026-01-31T09:10:01Z

GrantRecord full_grant() {
  GrantRecord grant;
  grant.app = "slack-bot";
  grant.provider = "slack";
  grant.client = "C1 https://slack.example/token ";
  grant.subject = "slack:team:T111";
  grant.scopes = {"chat:write", "channels:read"};
  grant.access_token = Secret("AT1");
  grant.refresh_token = Secret("RT1");
  grant.expires_at = kThen + 3600;
  grant.created_at = kThen;
  grant.updated_at = kThen;
  grant.session_id = "as-1";
  grant.provider_data = {{"teamId", "T111"}};
  return grant;
}

SessionRecord full_session() {
  SessionRecord session;
  session.id = "as-4f2c9a";
  session.app = "slack-bot";
  session.provider = "slack";
  session.client = "C1 https://slack.example/token ";
  session.subject_mode = OAuthAppResource::SubjectMode::Global;
  session.subject = "slack:team:T111";
  session.scopes = {"chat:write"};
  session.code.verifier = Secret("verifier");
  session.code.challenge = "challenge";
  session.code.state = Secret("state");
  session.code.nonce = Secret("nonce");
  session.code.redirect_uri = "http://127.0.0.1:1/cb";
  session.created_at = kThen;
  session.expires_at = kThen + 600;
  session.resume = Resume{.workspace = "w",
                          .swarm = "default",
                          .instance_key = "1700000000.000100",
                          .agent_name = "planner",
                          .origin = JsonObject{{"connector", "slack-main"}},
                          .auth = JsonObject{{"actor", JsonObject{{"id", "slack:U1"}}}}};
  return session;
}

Json parsed(const Secret& text) {
  return parse_json(text.reveal()).value();
}

// REQ: OAUTH-7
TEST(OAuthRecords, AGrantHasTheFieldsOfTheSpecification) {
  const Json want = parse_json(R"({
    "apiVersion": "goondan.ai/v1", "kind": "OAuthGrantRecord",
    "metadata": {"name": "sha256:1f6e5b"},
    "spec": {
      "provider": "slack", "oauthAppRef": {"kind": "OAuthApp", "name": "slack-bot"},
      "subject": "slack:team:T111", "flow": "authorization_code",
      "scopesGranted": ["chat:write", "channels:read"],
      "token": {"tokenType": "bearer", "accessToken": "AT1", "refreshToken": "RT1",
                "expiresAt": "2026-01-31T10:10:01Z"},
      "createdAt": "2026-01-31T09:10:01Z", "updatedAt": "2026-01-31T09:10:01Z",
      "revoked": false, "client": "C1 https://slack.example/token ",
      "authSessionId": "as-1", "providerData": {"teamId": "T111"}}})")
                        .value();
  Json got = parsed(full_grant().to_text());
  JsonString& name = got.at("metadata").at("name").as_string();
  EXPECT_EQ(name.size(), 7U + 64U);
  EXPECT_TRUE(name.starts_with("sha256:"));
  name = "sha256:1f6e5b";
  EXPECT_EQ(got, want) << to_text(got);
}

TEST(OAuthRecords, ASessionHasTheFieldsOfTheSpecification) {
  const Json got = parsed(full_session().to_text());
  const JsonObject& spec = got.at("spec").as_object();
  EXPECT_EQ(got.at("kind"), "AuthSessionRecord");
  EXPECT_EQ(got.at("metadata").at("name"), "as-4f2c9a");
  EXPECT_EQ(spec.at("client"), "C1 https://slack.example/token ");
  EXPECT_EQ(spec.at("subjectMode"), "global");
  EXPECT_EQ(spec.at("requestedScopes"), Json(JsonArray{"chat:write"}));
  EXPECT_EQ(spec.at("flow").at("type"), "authorization_code");
  EXPECT_EQ(spec.at("flow").at("pkce"),
            Json(JsonObject{
                {"method", "S256"}, {"codeVerifier", "verifier"}, {"codeChallenge", "challenge"}}));
  EXPECT_EQ(spec.at("flow").at("state"), "state");
  EXPECT_EQ(spec.at("status"), "pending");
  EXPECT_EQ(spec.at("createdAt"), "2026-01-31T09:10:01Z");
  EXPECT_EQ(spec.at("expiresAt"), "2026-01-31T09:20:01Z");
  EXPECT_EQ(spec.at("resume").at("swarmRef").at("name"), "default");
  EXPECT_EQ(spec.at("resume").at("instanceKey"), "1700000000.000100");
  EXPECT_EQ(spec.at("resume").at("agentName"), "planner");
  EXPECT_EQ(spec.at("resume").at("origin").at("connector"), "slack-main");
  EXPECT_EQ(spec.at("resume").at("auth").at("actor").at("id"), "slack:U1");
}

TEST(OAuthRecords, WhatIsReadIsWhatWasWritten) {
  const Secret grant = full_grant().to_text();
  EXPECT_EQ(parsed(GrantRecord::from_text(grant).value().to_text()), parsed(grant));
  const Secret session = full_session().to_text();
  EXPECT_EQ(parsed(SessionRecord::from_text(session).value().to_text()), parsed(session));

  SessionRecord device = full_session();
  device.code = {};
  device.device = DevicePart{.device_code = Secret("dc"),
                             .user_code = "ABCD",
                             .verification_uri = "https://x.example/d",
                             .interval = 7,
                             .next_poll_at = kThen + 7};
  device.end(SessionStatus::Completed);
  device.scopes_granted = {"chat:write"};
  device.delivery = SessionRecord::Delivery::Done;
  const Secret text = device.to_text();
  EXPECT_EQ(parsed(SessionRecord::from_text(text).value().to_text()), parsed(text));
}

TEST(OAuthRecords, ASessionThatIsOverForgetsItsSecretsButForTheState) {
  SessionRecord session = full_session();
  session.end(SessionStatus::Failed, "x");
  EXPECT_TRUE(session.code.verifier.empty());
  EXPECT_TRUE(session.code.nonce.empty());
  EXPECT_EQ(session.code.state.reveal(), "state");
}

TEST(OAuthRecords, ARecordOfAnotherKindIsRefusedWithoutShowingIt) {
  const Result<SessionRecord> wrong = SessionRecord::from_text(full_grant().to_text());
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::StoreCorrupt);
  const Result<GrantRecord> broken = GrantRecord::from_text(Secret("{\"accessToken\": \"AT1"));
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().message.find("AT1"), std::string::npos);
}

TEST(OAuthRecords, TimesAreWholeSecondsInUtc) {
  EXPECT_EQ(time_text(kThen), "2026-01-31T09:10:01Z");
  EXPECT_EQ(time_from("2026-01-31T09:10:01Z"), kThen);
  for (const char* wrong : {"", "2026-01-31", "2026-01-31T09:10:01", "2026-13-31T09:10:01Z", "now",
                            "2026-01-31T09:10:01Zz"}) {
    EXPECT_EQ(time_from(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(time_text(std::int64_t{1} << 60), "9999-12-31T23:59:59Z");
}

}  // namespace
}  // namespace goondan::oauth
