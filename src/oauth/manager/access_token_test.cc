// Asking for a token: from the first check to the session that waits for a person.
#include <set>

#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

// REQ: OAUTH-2
TEST_F(ManagerTest, AnApplicationThatIsNotThereAndASubjectThatIsNotSetAreErrors) {
  EXPECT_EQ(said(ask(request("nope"))), "oauthAppNotFound");
  TokenRequest nobody = request("person");
  nobody.auth = parse_json(R"({"subjects": {"global": "demo:team:T1"}})").value();
  const TokenResult result = ask(nobody);
  EXPECT_EQ(said(result), "subjectUnavailable");
  EXPECT_NE(std::get<TokenError>(result).message.find("turn.auth.subjects.user"),
            std::string::npos);
  for (const char* auth : {"null", "[]", "{}", R"({"subjects": {"global": ""}})",
                           R"({"subjects": {"global": 7}})", R"({"subjects": []})"}) {
    TokenRequest wish = request();
    wish.auth = parse_json(auth).value();
    EXPECT_EQ(said(ask(wish)), "subjectUnavailable") << auth;
  }
  TokenRequest endless = request();
  endless.auth = JsonObject{{"subjects", JsonObject{{"global", std::string(1025, 'x')}}}};
  EXPECT_EQ(to_json(ask(endless)).at("error").at("message"),
            "turn.auth.subjects.global has more than 1024 bytes");
}

// REQ: OAUTH-3
TEST_F(ManagerTest, Attack10ScopesOutsideTheApplicationAreRefusedWithoutNetworkOrSession) {
  put_grant(3600);
  TokenRequest wish = request();
  wish.scopes = {{"read", "admin"}};
  EXPECT_EQ(said(ask(wish)), "scopeNotAllowed");
  EXPECT_EQ(said(manager->begin_session(wish, limit())), "scopeNotAllowed");
  EXPECT_TRUE(service.untouched());
  EXPECT_TRUE(manager->pending_sessions().value().empty());
}

// REQ: OAUTH-4
TEST_F(ManagerTest, AValidGrantIsReady) {
  put_grant(301);
  const TokenResult result = ask();
  EXPECT_EQ(said(result), "ready old-access-token");
  const auto& ready = std::get<TokenReady>(result);
  EXPECT_EQ(ready.token_type, "bearer");
  EXPECT_EQ(ready.expires_at, "2026-01-16T12:05:01Z");
  EXPECT_EQ(ready.scopes, (std::vector<std::string>{"read", "write"}));
  EXPECT_TRUE(service.untouched());
}

TEST_F(ManagerTest, ExactlyTheLeastTimeLeftIsTooLittle) {
  put_grant(301, "");
  EXPECT_EQ(said(ask()), "ready old-access-token");
  now += 1;
  EXPECT_EQ(said(ask()), "consent");
  TokenRequest wish = request();
  wish.min_ttl_seconds = 299;
  EXPECT_EQ(said(ask(wish)), "ready old-access-token");
}

TEST_F(ManagerTest, ATokenThatNeverLivesLongEnoughAndCannotBeRefreshedIsGoodToItsEnd) {
  service.on_exchange = [](const CodeExchange&) {
    Tokens brief = tokens("access-of-exchange");
    brief.expires_in = std::chrono::seconds(200);
    return brief;
  };
  come_back(begin());
  EXPECT_EQ(said(ask()), "ready access-of-exchange");
  now += 199;
  EXPECT_EQ(said(ask()), "ready access-of-exchange");
  now += 1;
  EXPECT_EQ(said(ask()), "consent");
}

TEST_F(ManagerTest, NoGrantARevokedOneAndOneWithoutTheScopesNeedConsent) {
  EXPECT_EQ(said(ask()), "consent");
  put_grant(3600);
  GrantRecord narrow = *grant();
  narrow.scopes = {"write"};
  put(narrow);
  EXPECT_EQ(said(ask()), "consent");
  TokenRequest wish = request();
  wish.scopes = {{"write"}};
  EXPECT_EQ(said(ask(wish)), "ready old-access-token");
  narrow.standing = GrantRecord::Standing::Revoked;
  put(narrow);
  EXPECT_EQ(said(ask(wish)), "consent");
  EXPECT_EQ(service.refreshes, 0);
}

TEST_F(ManagerTest, NewConsentAlsoAsksForWhatTheOldOneHad) {
  put_grant(3600);
  GrantRecord narrow = *grant();
  narrow.scopes = {"write"};
  put(narrow);
  TokenRequest wish = request();
  wish.scopes = {{"read"}};
  const TokenResult result = ask(wish);
  const std::string url = std::get<AuthorizationRequired>(result).authorization_url;
  EXPECT_EQ(query_value(url, "scope"), "read+write");
}

TEST_F(ManagerTest, TheSessionOfAnApprovalHoldsWhatItsCallbackNeeds) {
  const TokenResult result = ask();
  const auto& required = std::get<AuthorizationRequired>(result);
  EXPECT_EQ(required.session_id.size(), 15U);
  EXPECT_TRUE(required.session_id.starts_with("as-"));
  EXPECT_EQ(required.expires_at, "2026-01-16T12:10:00Z");
  EXPECT_EQ(required.message,
            "Connecting to demo needs your consent. Open the link, agree, and the work goes on.");
  const SessionRecord record = session(required.session_id);
  EXPECT_EQ(record.status, SessionStatus::Pending);
  EXPECT_EQ(record.subject, "demo:team:T1");
  EXPECT_EQ(code_challenge(record.code.verifier.reveal()), record.code.challenge);
  EXPECT_EQ(query_value(required.authorization_url, "code_challenge"), record.code.challenge);
  EXPECT_GE(record.code.state.size(), 22U);  // 128 bits
  EXPECT_EQ(state_of(required), record.code.state.reveal());
  EXPECT_EQ(record.code.redirect_uri, place.uri);
  EXPECT_GE(place.changes, 1);
}

TEST_F(ManagerTest, WhoAsksAgainForTheSameGetsTheSameLink) {
  const std::string first = std::get<AuthorizationRequired>(ask()).session_id;
  EXPECT_EQ(std::get<AuthorizationRequired>(ask()).session_id, first);
  now += 540;
  EXPECT_EQ(std::get<AuthorizationRequired>(ask()).session_id, first);
  now += 1;  // less than a minute is left
  EXPECT_NE(std::get<AuthorizationRequired>(ask()).session_id, first);
}

TEST_F(ManagerTest, WhoeverAsksForSomethingElseGetsALinkOfTheirOwn) {
  std::set<std::string> links{std::get<AuthorizationRequired>(ask()).session_id};
  TokenRequest other_thread = request();
  other_thread.resume = resume("thread-2");
  TokenRequest nobody_waits = request();
  nobody_waits.resume.reset();
  TokenRequest less = request();
  less.scopes = {{"read"}};
  for (const TokenRequest& wish : {other_thread, nobody_waits, less, request("person")})
    links.insert(std::get<AuthorizationRequired>(ask(wish)).session_id);
  links.insert(begin().session_id);
  place.uri = "http://127.0.0.1:8888/callback";  // nobody listens any more where the first leads to
  links.insert(std::get<AuthorizationRequired>(ask()).session_id);
  EXPECT_EQ(links.size(), 7U);
}

TEST_F(ManagerTest, OneSubjectCannotOpenSessionsWithoutEnd) {
  for (std::size_t i = 0; i < kMaxPendingSessionsOfOneSubject; ++i)
    begin();
  EXPECT_EQ(said(manager->begin_session(request(), limit())), "tooManySessions");
  TokenRequest other = request();
  other.auth = parse_json(R"({"subjects": {"global": "demo:team:T2"}})").value();
  EXPECT_EQ(said(manager->begin_session(other, limit())), "consent");
  now += kSessionLife.count();
  EXPECT_EQ(said(manager->begin_session(request(), limit())), "consent");
}

TEST_F(ManagerTest, AllSubjectsTogetherCannotEither) {
  TokenRequest wish = request();
  for (std::size_t i = 0; i < kMaxPendingSessions; ++i) {
    wish.auth = JsonObject{{"subjects", JsonObject{{"global", "demo:team:" + std::to_string(i)}}}};
    begin(wish);
  }
  EXPECT_EQ(said(ask()), "tooManySessions");
}

TEST_F(ManagerTest, AProviderThatCannotBeReachedOrUsedIsToldApart) {
  service.prepared = refusal(Refusal::Retry);
  EXPECT_EQ(said(ask()), "providerUnavailable");
  service.prepared = refusal(Refusal::Broken);
  EXPECT_EQ(said(ask()), "configurationError");
  EXPECT_TRUE(manager->pending_sessions().value().empty());
}

// REQ: OAUTH-9
TEST_F(ManagerTest, Attack27WhatTheModelSeesHoldsNoSecretAndTheLinkIsWhole) {
  const AuthorizationRequired required = begin();
  const SessionRecord record = session(required.session_id);
  const std::vector<PendingSession> pending = manager->pending_sessions().value();
  ASSERT_EQ(pending.size(), 1U);
  const Json item = pending.front().to_item();
  EXPECT_EQ(to_text(item).find(record.code.verifier.reveal()), std::string::npos);
  EXPECT_EQ(item,
            Json(JsonObject{{"authSessionId", required.session_id},
                            {"oauthAppRef", JsonObject{{"kind", "OAuthApp"}, {"name", "team"}}},
                            {"provider", "demo"},
                            {"subjectMode", "global"},
                            {"authorizationUrl", required.authorization_url},
                            {"expiresAt", required.expires_at},
                            {"message", required.message}}));
  Json masked = item;
  redactor.redact(masked);
  EXPECT_EQ(masked, item) << "the person must get the link as it is";
}

TEST_F(ManagerTest, EverySecretThatPassesIsMaskedFromThenOn) {
  const AuthorizationRequired required = begin();
  const std::string verifier(session(required.session_id).code.verifier.reveal());
  come_back(required);
  put_grant(-1, "another-refresh-token", "person");
  ask(request("person"));
  for (const std::string& secret :
       {verifier, std::string("the-client-secret"), std::string("the-code-of-the-browser"),
        std::string("access-of-exchange"), std::string("refresh-of-exchange"),
        std::string("old-access-token"), std::string("another-refresh-token"),
        std::string("access-of-refresh"), std::string("refresh-of-refresh")}) {
    EXPECT_EQ(redactor.redact("x " + secret + " y"), "x [redacted] y") << secret;
  }
}

}  // namespace
}  // namespace goondan::oauth
