// Browsers that come back, and those who pretend to be one. Numbers are those of the list of
// attacks in the security notes.
#include <future>
#include <latch>

#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

using Came = CallbackOutcome::Page;

class CallbackTest : public ManagerTest {
 protected:
  void expect_refused(const CallbackOutcome& outcome, Came page, std::string_view problem) {
    EXPECT_EQ(outcome.page, page) << outcome.problem;
    EXPECT_EQ(outcome.problem, problem);
    EXPECT_FALSE(outcome.granted.has_value());
    EXPECT_FALSE(grant("team").has_value());
    EXPECT_FALSE(grant("person").has_value());
  }
};

// REQ: OAUTH-6
TEST_F(CallbackTest, ACodeBecomesAGrantAndTheAgentThatWaitsIsTold) {
  const AuthorizationRequired required = begin();
  const std::string verifier(session(required.session_id).code.verifier.reveal());
  const CallbackOutcome outcome = come_back(required);
  EXPECT_EQ(outcome.page, Came::Connected) << outcome.problem;
  EXPECT_EQ(outcome.session_id, required.session_id);
  EXPECT_EQ(service.verifiers, std::vector<std::string>{verifier});
  EXPECT_EQ(status(required), "completed");
  ASSERT_TRUE(grant().has_value());
  EXPECT_EQ(grant()->refresh_token.reveal(), "refresh-of-exchange");
  EXPECT_EQ(said(ask()), "ready access-of-exchange");
  ASSERT_TRUE(outcome.granted.has_value());
  EXPECT_EQ(outcome.granted->resume.agent_name, "planner");
  EXPECT_EQ(outcome.granted->resume.instance_key, "thread-1");
  EXPECT_EQ(outcome.granted->resume.origin, Json(JsonObject{{"channel", "C1"}}));
  EXPECT_EQ(outcome.granted->resume.auth, auth());
  const JsonObject& payload = outcome.granted->payload;
  EXPECT_EQ(payload.at("type"), "auth.granted");
  EXPECT_EQ(payload.at("oauthAppRef").at("name"), "team");
  EXPECT_EQ(payload.at("provider"), "demo");
  EXPECT_EQ(payload.at("subject"), "demo:team:T1");
  EXPECT_EQ(payload.at("scopesGranted"), Json(JsonArray{"read", "write"}));
  EXPECT_EQ(payload.at("grantId").as_string(), grant_id("team", "demo:team:T1"));
}

TEST_F(CallbackTest, WhereNobodyWaitsNobodyIsTold) {
  TokenRequest wish = request();
  wish.resume.reset();
  const CallbackOutcome outcome = come_back(begin(wish));
  EXPECT_EQ(outcome.page, Came::Connected);
  EXPECT_FALSE(outcome.granted.has_value());
  EXPECT_TRUE(manager->undelivered("default").value().empty());
}

TEST_F(CallbackTest, Attack1AStateThatIsMissingUnknownOrRepeatedReachesNoSession) {
  const AuthorizationRequired required = begin();
  const std::string state = state_of(required);
  const Parameters cases[] = {
      {},
      {{"code", "c"}},
      {{"code", "c"}, {"state", ""}},
      {{"code", "c"}, {"state", "garbage"}},
      {{"code", "c"}, {"state", state.substr(0, state.size() - 1)}},
      {{"code", "c"}, {"state", state + "x"}},
      {{"code", "c"}, {"state", state}, {"state", state}},
      {{"code", "c"}, {"state", required.session_id}},
  };
  for (const Parameters& parameters : cases) {
    const CallbackOutcome outcome = manager->complete(parameters, limit());
    EXPECT_EQ(outcome.page, Came::Unknown);
    EXPECT_TRUE(outcome.session_id.empty());
  }
  EXPECT_EQ(service.exchanges, 0);
  EXPECT_EQ(status(required), "pending");
  EXPECT_EQ(redactor.redact("session garbage"), "session garbage") << "strangers teach nothing";
}

TEST_F(CallbackTest, Attack1AnExpiredStateIsOfNoUse) {
  const AuthorizationRequired required = begin();
  now += kSessionLife.count();
  expect_refused(come_back(required), Came::Expired, "session_expired");
  EXPECT_EQ(status(required), "expired");
  expect_refused(come_back(required), Came::Expired, "session_expired");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack1AStateBelongsToTheApplicationItWasMadeFor) {
  const AuthorizationRequired team = begin();
  const AuthorizationRequired person = begin(request("person"));
  EXPECT_EQ(come_back(person).app, "person");
  EXPECT_TRUE(grant("person").has_value());
  EXPECT_FALSE(grant("team").has_value());
  EXPECT_EQ(status(team), "pending");
}

TEST_F(CallbackTest, Attack2TwoBrowsersWithOneStateExchangeOneCode) {
  const AuthorizationRequired required = begin();
  const auto second_store = open_store();
  const auto second = make_manager(*second_store);
  constexpr int kBrowsers = 16;
  std::latch together(kBrowsers);
  std::vector<std::future<Came>> pages;
  for (int i = 0; i < kBrowsers; ++i) {
    Manager& target = i % 2 == 0 ? *manager : *second;
    pages.push_back(std::async(std::launch::async, [&] {
      together.arrive_and_wait();
      return target.complete({{"state", state_of(required)}, {"code", "c"}}, limit()).page;
    }));
  }
  int connected = 0;
  for (auto& page : pages) {
    const Came came = page.get();
    connected += came == Came::Connected ? 1 : 0;
    EXPECT_TRUE(came == Came::Connected || came == Came::Used);
  }
  EXPECT_EQ(connected, 1);
  EXPECT_EQ(service.exchanges, 1);
}

TEST_F(CallbackTest, Attack3ASessionThatIsOverStaysAsItIs) {
  const AuthorizationRequired completed = begin();
  EXPECT_EQ(come_back(completed).page, Came::Connected);
  const AuthorizationRequired failed = begin();
  EXPECT_EQ(come_back(failed, {{"error", "access_denied"}}).page, Came::Refused);
  for (const auto* over : {&completed, &failed}) {
    const std::string before = status(*over);
    const CallbackOutcome outcome = come_back(*over);
    EXPECT_EQ(outcome.page, Came::Used);
    EXPECT_EQ(outcome.problem, "session_already_used");
    EXPECT_EQ(status(*over), before);
  }
  EXPECT_EQ(service.exchanges, 1);
}

TEST_F(CallbackTest, Attack4ACodeOfAnotherSessionIsSentWithTheWrongVerifier) {
  const AuthorizationRequired attacker = begin();
  const AuthorizationRequired victim = begin();
  // The provider, which knows the challenge that the code was made for.
  const std::string challenge = session(attacker.session_id).code.challenge;
  service.on_exchange = [&](const CodeExchange& exchange) -> Answer<Tokens> {
    if (code_challenge(exchange.code_verifier) != challenge) return refusal(Refusal::InvalidGrant);
    return tokens("access-of-the-attacker");
  };
  expect_refused(come_back(victim), Came::Failed, "token_exchange_failed");
  EXPECT_EQ(status(victim), "failed");
}

TEST_F(CallbackTest, Attack5TheIssuerIsExactlyTheOneThatWasAsked) {
  struct Case {
    bool promised;
    Parameters iss;
    bool fine;
  };
  const Case cases[] = {
      {false, {}, true},
      {true, {{"iss", "https://demo.example"}}, true},
      {false, {{"iss", "https://demo.example"}}, true},
      {true, {}, false},
      {true, {{"iss", ""}}, false},
      {false, {{"iss", "https://evil.example"}}, false},
      {false, {{"iss", "https://demo.example/"}}, false},
      {false, {{"iss", "HTTPS://demo.example"}}, false},
      {false, {{"iss", "https://demo.example"}, {"iss", "https://demo.example"}}, false},
      {false, {{"iss", "https://demo.example"}, {"iss", "https://evil.example"}}, false},
  };
  service.issuer = "https://demo.example";
  for (const Case& one : cases) {
    service.promises_issuer = one.promised;
    const AuthorizationRequired required = begin();
    const int before = service.exchanges;
    EXPECT_EQ(come_back(required, one.iss).page, one.fine ? Came::Connected : Came::Failed);
    EXPECT_EQ(service.exchanges - before, one.fine ? 1 : 0);
    EXPECT_EQ(status(required), one.fine ? "completed" : "failed");
  }
}

TEST_F(CallbackTest, Attack5ACodeDoesNotGoToAnotherIssuerThanTheSessionWasBegunWith) {
  service.issuer = "https://demo.example";
  const AuthorizationRequired required = begin();
  service.issuer = "https://evil.example";
  expect_refused(come_back(required), Came::Failed, "invalid_issuer");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack5AnIssuerThatCannotBeCheckedIsRefused) {
  expect_refused(come_back(begin(), {{"iss", "https://demo.example"}}), Came::Failed,
                 "invalid_issuer");
}

TEST_F(CallbackTest, Attack6AnErrorEndsItsOwnSessionOnly) {
  const AuthorizationRequired required = begin();
  expect_refused(manager->complete({{"error", "access_denied"}}, limit()), Came::Unknown,
                 "invalid_state");
  expect_refused(manager->complete({{"error", "access_denied"}, {"state", "x"}}, limit()),
                 Came::Unknown, "session_not_found");
  EXPECT_EQ(status(required), "pending");
  expect_refused(
      manager->complete({{"error", "access_denied"}, {"state", state_of(required)}}, limit()),
      Came::Refused, "access_denied");
  EXPECT_EQ(status(required), "failed");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack6TheIssuerOfAnErrorIsCheckedToo) {
  service.issuer = "https://demo.example";
  service.promises_issuer = true;
  const AuthorizationRequired required = begin();
  expect_refused(
      manager->complete({{"error", "access_denied"}, {"state", state_of(required)}}, limit()),
      Came::Failed, "invalid_issuer");
}

TEST_F(CallbackTest, AnErrorIsRepeatedOnlyIfItIsAWord) {
  const AuthorizationRequired required = begin();
  const CallbackOutcome outcome =
      manager->complete({{"error", "<script>"}, {"state", state_of(required)}}, limit());
  EXPECT_EQ(outcome.problem, "access_denied");
  EXPECT_EQ(come_back(begin(), {{"error", "server_error"}}).problem, "server_error");
}

TEST_F(CallbackTest, ACodeThatIsMissingOrRepeatedEndsTheSession) {
  const AuthorizationRequired none = begin();
  expect_refused(manager->complete({{"state", state_of(none)}}, limit()), Came::Failed, "no_code");
  expect_refused(come_back(begin(), {{"code", "another"}}), Came::Failed, "repeated_parameter");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack7TokensOfAnotherUserAreRevokedAndNotStored) {
  put_grant(3600, "old-refresh-token", "person");
  service.on_identify = [](const Tokens&) { return Identity{.user = "demo:user:mallory"}; };
  const AuthorizationRequired required = begin(request("person"));
  const CallbackOutcome outcome = come_back(required);
  EXPECT_EQ(outcome.page, Came::Failed);
  EXPECT_EQ(outcome.problem, "subject_mismatch");
  EXPECT_EQ(status(required), "failed");
  EXPECT_EQ(service.revocations, std::vector<std::string>{"access-of-exchange"});
  EXPECT_EQ(grant("person")->access_token.reveal(), "old-access-token") << "the old one is kept";
  EXPECT_TRUE(manager->undelivered("default").value().empty());
}

TEST_F(CallbackTest, Attack7AUserWhoIsNotKnownIsNobody) {
  service.on_identify = [](const Tokens&) { return Identity{}; };
  expect_refused(come_back(begin(request("person"))), Came::Failed, "subject_unknown");
  service.on_identify = [](const Tokens&) -> Answer<Identity> { return refusal(Refusal::Retry); };
  expect_refused(come_back(begin(request("person"))), Came::Failed, "subject_unknown");
  EXPECT_EQ(service.revocations.size(), 2U);
}

TEST_F(CallbackTest, Attack7ATokenOfAnotherWorkspaceIsRefusedIfTheProviderTells) {
  service.on_exchange = [](const CodeExchange&) {
    Tokens of_another = tokens("access-of-another");
    of_another.identity.global = "demo:team:T2";
    return of_another;
  };
  expect_refused(come_back(begin()), Came::Failed, "subject_mismatch");
  EXPECT_EQ(service.revocations, std::vector<std::string>{"access-of-another"});
}

TEST_F(CallbackTest, AnIdTokenThatIsRefusedCountsForAWorkspaceToo) {
  service.on_exchange = [](const CodeExchange&) {
    Tokens with_id = tokens("access-of-exchange");
    with_id.id_token = Secret("header.claims.signature");
    return with_id;
  };
  service.on_identify = [](const Tokens&) -> Answer<Identity> { return refusal(Refusal::Broken); };
  expect_refused(come_back(begin()), Came::Failed, "subject_unknown");
}

// REQ: OAUTH-3
TEST_F(CallbackTest, Attack9NarrowerScopesAreStoredAndWiderOnesAreNot) {
  service.on_exchange = [](const CodeExchange&) {
    Tokens narrow = tokens("access-of-exchange");
    narrow.scopes = {"write"};
    return narrow;
  };
  EXPECT_EQ(come_back(begin()).page, Came::Connected);
  EXPECT_EQ(grant()->scopes, std::vector<std::string>{"write"});
  EXPECT_EQ(said(ask()), "consent");
  service.on_exchange = [](const CodeExchange&) {
    Tokens wide = tokens("access-of-exchange");
    wide.scopes = {"admin", "read", "write", "read"};
    return wide;
  };
  EXPECT_EQ(come_back(begin()).page, Came::Connected);
  EXPECT_EQ(grant()->scopes, (std::vector<std::string>{"read", "write"}));
}

TEST_F(CallbackTest, AProviderThatCannotBeReachedBeforeTheCodeIsSentLeavesTheSessionOpen) {
  const AuthorizationRequired required = begin();
  service.prepared = refusal(Refusal::Retry);
  expect_refused(come_back(required), Came::Pending, "provider_unavailable");
  EXPECT_EQ(status(required), "pending");
  service.prepared = std::monostate();
  EXPECT_EQ(come_back(required).page, Came::Connected);
}

TEST_F(CallbackTest, ACodeIsNotSentAgainAfterItsExchangeFailed) {
  service.on_exchange = [](const CodeExchange&) -> Answer<Tokens> {
    return refusal(Refusal::Retry);
  };
  const AuthorizationRequired required = begin();
  expect_refused(come_back(required), Came::Failed, "token_exchange_failed");
  expect_refused(come_back(required), Came::Used, "session_already_used");
  EXPECT_EQ(service.exchanges, 1);
}

TEST_F(CallbackTest, ASessionOfAnApplicationThatIsNotHereIsLeftAlone) {
  const AuthorizationRequired required = begin();
  Manager other(Manager::Parts{.apps = {},
                               .store = *store,
                               .http = http,
                               .policy = {},
                               .redirects = &place,
                               .redactor = nullptr,
                               .now = [this] { return now.load(); },
                               .provider = {}});
  const CallbackOutcome outcome =
      other.complete({{"state", state_of(required)}, {"code", "c"}}, limit());
  EXPECT_EQ(outcome.problem, "oauthAppNotFound");
  EXPECT_EQ(status(required), "pending");
}

}  // namespace
}  // namespace goondan::oauth
