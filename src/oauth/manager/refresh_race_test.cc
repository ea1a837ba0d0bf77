// Many who want the same token at once. Numbers are those of the list of attacks in the security
// notes.
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

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

}  // namespace
}  // namespace goondan::oauth
