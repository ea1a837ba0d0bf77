// Tokens that have expired, or soon will. Numbers are those of the list of attacks in the security
// notes.
#include "oauth/manager/full_disk.h"
#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

// REQ: OAUTH-5
TEST_F(ManagerTest, ATokenThatIsAboutToExpireIsRefreshedAndStored) {
  put_grant(300);
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(service.sent_refresh_tokens, std::vector<std::string>{"old-refresh-token"});
  EXPECT_EQ(grant()->access_token.reveal(), "access-of-refresh");
  EXPECT_EQ(grant()->refresh_token.reveal(), "refresh-of-refresh");
  EXPECT_EQ(grant()->expires_at, now + 3600);
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, Attack17WithoutANewRefreshTokenTheOldOneIsKept) {
  put_grant(10);
  service.on_refresh = [](std::string_view) { return tokens("access-of-refresh"); };
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(grant()->refresh_token.reveal(), "old-refresh-token");
}

TEST_F(ManagerTest, ARefreshNeverWidensScopesAndMayNarrowThem) {
  put_grant(10);
  GrantRecord narrow = *grant();
  narrow.scopes = {"read"};
  put(narrow);
  TokenRequest wish = request();
  wish.scopes = {{"read"}};
  EXPECT_EQ(said(ask(wish)), "ready access-of-refresh");
  EXPECT_EQ(grant()->scopes, std::vector<std::string>{"read"});
  now += 3600;
  service.on_refresh = [](std::string_view) {
    Tokens none = tokens("access-of-refresh");
    none.scopes = {};
    return none;
  };
  EXPECT_EQ(said(ask(wish)), "consent");
}

TEST_F(ManagerTest, ARefreshTokenThatIsSpentMarksTheGrantAndAsksAnew) {
  put_grant(10);
  service.on_refresh = [](std::string_view) -> Answer<Tokens> {
    return refusal(Refusal::InvalidGrant);
  };
  EXPECT_EQ(said(ask()), "consent");
  EXPECT_EQ(grant()->standing, GrantRecord::Standing::Revoked);
  EXPECT_EQ(manager->grants().value().front().state, GrantInfo::State::Revoked);
  EXPECT_EQ(said(ask()), "consent");
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, AnIllProviderLeavesTheGrantAndTheOldTokenIsUsedAsLongAsItLives) {
  put_grant(10);
  service.on_refresh = [](std::string_view) -> Answer<Tokens> { return refusal(Refusal::Retry); };
  EXPECT_EQ(said(ask()), "ready old-access-token");
  now += 10;
  EXPECT_EQ(said(ask()), "refreshFailed");
  EXPECT_EQ(grant()->standing, GrantRecord::Standing::Good);
  EXPECT_EQ(grant()->refresh_token.reveal(), "old-refresh-token");
  EXPECT_TRUE(manager->pending_sessions().value().empty());
}

TEST_F(ManagerTest, ADeadProviderIsNotHammeredAndTriedAgainLater) {
  put_grant(-10);
  service.on_refresh = [](std::string_view) -> Answer<Tokens> { return refusal(Refusal::Retry); };
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(said(ask()), "refreshFailed");
  EXPECT_EQ(service.refreshes, 1);
  for (int minute = 0; minute < 10; ++minute) {
    now += 60;
    for (int i = 0; i < 20; ++i)
      ask();
  }
  EXPECT_EQ(service.refreshes, 11);
  now += 60;
  service.on_refresh = [](std::string_view) { return tokens("access-of-refresh"); };
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
}

TEST_F(ManagerTest, Attack15AnAnswerThatWasLostEndsInNewConsentNotInALoop) {
  put_grant(-10);
  // The provider has exchanged the token, and its answer was lost.
  service.on_refresh = [&](std::string_view) -> Answer<Tokens> {
    return refusal(service.refreshes == 1 ? Refusal::Retry : Refusal::InvalidGrant);
  };
  EXPECT_EQ(said(ask()), "refreshFailed");
  now += 60;
  EXPECT_EQ(said(ask()), "consent");
  for (int i = 0; i < 10; ++i) {
    now += 60;
    EXPECT_EQ(said(ask()), "consent");
  }
  EXPECT_EQ(service.refreshes, 2);
}

// REQ: OAUTH-5
TEST_F(ManagerTest, TokensThatNeverLiveLongEnoughAreNotRefreshedEachTime) {
  put_grant(-10);
  service.on_refresh = [](std::string_view) {
    Tokens brief = tokens("access-of-refresh", "refresh-of-refresh");
    brief.expires_in = std::chrono::seconds(100);
    return brief;
  };
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(service.refreshes, 1);
  now += 50;
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(service.refreshes, 2);
}

TEST_F(ManagerTest, Attack20OnAFullDiskNoTokenIsHandedOutAndTheOldRecordStays) {
  const auto disk = std::make_shared<FullDisk>();
  const auto small_store = open_store(disk);
  const auto on_small = make_manager(*small_store);
  put_grant(-10);
  disk->full = true;
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "storeFailed");
  EXPECT_EQ(grant()->access_token.reveal(), "old-access-token");
  EXPECT_EQ(grant()->refresh_token.reveal(), "old-refresh-token");
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "storeFailed");
  // The old token is spent by now: what came for it is stored once there is room.
  disk->full = false;
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "ready access-of-refresh");
  EXPECT_EQ(grant()->refresh_token.reveal(), "refresh-of-refresh");
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, Attack20WhatCouldNotBeStoredForLongerThanItLivesIsRefreshedNotHandedOut) {
  const auto disk = std::make_shared<FullDisk>();
  const auto small_store = open_store(disk);
  const auto on_small = make_manager(*small_store);
  put_grant(-10);
  disk->full = true;
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "storeFailed");
  disk->full = false;
  now += 24 * 3600;
  service.on_refresh = [](std::string_view) { return tokens("second-access"); };
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "ready second-access");
  EXPECT_EQ(service.sent_refresh_tokens,
            (std::vector<std::string>{"old-refresh-token", "refresh-of-refresh"}));
}

TEST_F(ManagerTest, Attack20OnAFullDiskACodeBecomesNoGrant) {
  const auto disk = std::make_shared<FullDisk>();
  const auto small_store = open_store(disk);
  const auto on_small = make_manager(*small_store);
  const AuthorizationRequired required = begin();
  service.on_exchange = [&](const CodeExchange&) {
    disk->full = true;
    return tokens("access-of-exchange");
  };
  const CallbackOutcome outcome =
      on_small->complete({{"state", state_of(required)}, {"code", "c"}}, limit());
  EXPECT_EQ(outcome.problem, "store_failed");
  EXPECT_FALSE(grant().has_value());
  EXPECT_EQ(service.revocations, std::vector<std::string>{"access-of-exchange"});
  disk->full = false;
  EXPECT_EQ(status(required), "failed");
  EXPECT_EQ(come_back(required).page, CallbackOutcome::Page::Used);
  EXPECT_EQ(service.exchanges, 1);
}

TEST_F(ManagerTest, ASessionThatCannotBeStoredIsNotGivenOut) {
  const auto disk = std::make_shared<FullDisk>();
  const auto small_store = open_store(disk);
  const auto on_small = make_manager(*small_store);
  disk->full = true;
  EXPECT_EQ(said(on_small->get_access_token(request(), limit())), "storeFailed");
}

}  // namespace
}  // namespace goondan::oauth
