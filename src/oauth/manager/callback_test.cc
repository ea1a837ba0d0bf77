// Browsers that come back, and states that are not theirs. Numbers are those of the list of attacks
// in the security notes.
#include <future>
#include <latch>

#include "oauth/manager/callback_fixture.h"

namespace goondan::oauth {
namespace {

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

// REQ: OAUTH-3
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
