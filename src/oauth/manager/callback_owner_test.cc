// Whose tokens a code brings, and for what. Numbers are those of the list of attacks in the
// security notes.
#include "oauth/manager/callback_fixture.h"

namespace goondan::oauth {
namespace {

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

}  // namespace
}  // namespace goondan::oauth
