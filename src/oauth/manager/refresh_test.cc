// Tokens that have expired, or soon will. Numbers are those of the list of attacks in the security
// notes.
#include <future>
#include <latch>
#include <semaphore>

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
TEST_F(ManagerTest, Attack13FiveHundredThreadsAtOneExpiredTokenRefreshItOnce) {
  put_grant(-10);
  constexpr int kThreads = 500;
  std::latch together(kThreads);
  service.on_refresh = [](std::string_view token) -> Answer<Tokens> {
    // As providers do that rotate: the second use of a token ends all.
    if (token != "old-refresh-token") return refusal(Refusal::InvalidGrant);
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      together.arrive_and_wait();
      if (said(ask()) == "ready access-of-refresh") ++ready;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(ready, kThreads);
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, TwoStoresOfOneFolderRefreshOnce) {
  put_grant(-10);
  const auto second_store = open_store();
  const auto second = make_manager(*second_store);
  std::latch together(2);
  auto other = std::async(std::launch::async, [&] {
    together.arrive_and_wait();
    return said(second->get_access_token(request(), limit()));
  });
  together.arrive_and_wait();
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
  EXPECT_EQ(other.get(), "ready access-of-refresh");
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, WhoGivesUpEndsOnlyTheirOwnWait) {
  put_grant(-10);
  std::binary_semaphore asked(0);
  std::binary_semaphore answer(0);
  service.on_refresh = [&](std::string_view) {
    asked.release();
    answer.acquire();
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  std::stop_source leader_stops;
  auto leader = std::async(std::launch::async, [&] {
    Limit of_leader = limit();
    of_leader.stop = leader_stops.get_token();
    return said(manager->get_access_token(request(), of_leader));
  });
  asked.acquire();
  auto follower = std::async(std::launch::async, [&] { return said(ask()); });
  const Limit over{.deadline = Clock::now(), .stop = {}};
  EXPECT_EQ(said(manager->get_access_token(request(), over)), "refreshFailed");
  leader_stops.request_stop();
  EXPECT_EQ(leader.get(), "refreshFailed");
  answer.release();
  EXPECT_EQ(follower.get(), "ready access-of-refresh");
  EXPECT_EQ(service.refreshes, 1);
}

TEST_F(ManagerTest, ARefreshThatNobodyWaitsForIsStored) {
  put_grant(-10);
  std::binary_semaphore asked(0);
  std::binary_semaphore answer(0);
  service.on_refresh = [&](std::string_view) {
    asked.release();
    answer.acquire();
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  std::stop_source stop;
  auto leader = std::async(std::launch::async, [&] {
    return said(manager->get_access_token(
        request(), {.deadline = limit().deadline, .stop = stop.get_token()}));
  });
  asked.acquire();
  stop.request_stop();
  EXPECT_EQ(leader.get(), "refreshFailed");
  answer.release();
  manager.reset();  // waits for what is under way
  EXPECT_EQ(grant()->refresh_token.reveal(), "refresh-of-refresh");
}

TEST_F(ManagerTest, WhatAnotherHasRefreshedIsTakenOver) {
  put_grant(-10);
  // Another process, between our reading the grant and our having its lock.
  service.on_refresh = [&](std::string_view) {
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  const auto second_store = open_store();
  const auto second = make_manager(*second_store);
  const RecordName name{.kind = RecordKind::Grant, .app = "team", .key = "demo:team:T1"};
  std::optional<RecordLock> lock = second_store->lock(name, limit().deadline, {}).value();
  auto waiting = std::async(std::launch::async, [&] { return said(ask()); });
  GrantRecord fresh = *grant();
  fresh.access_token = Secret("access-of-the-other");
  fresh.expires_at = now + 100;  // less than the usual least, and the best there is
  put(fresh);
  lock.reset();
  EXPECT_EQ(waiting.get().substr(0, 5), "ready");
  EXPECT_LE(service.refreshes, 1);
}

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
