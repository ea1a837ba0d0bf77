// What is left behind by processes that have ended, and taking consent back.
#include <future>
#include <semaphore>

#include "oauth/manager/full_disk.h"
#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

// REQ: OAUTH-8
TEST_F(ManagerTest, ALaterProcessFindsWhatWaitsAndWhatIsToBeTold) {
  const AuthorizationRequired waiting = begin();
  TokenRequest second_thread = request();
  second_thread.resume = resume("thread-2");
  const AuthorizationRequired done = begin(second_thread);
  come_back(done);

  const auto later_store = open_store();
  const auto later = make_manager(*later_store);
  const std::vector<PendingSession> pending = later->pending_sessions().value();
  ASSERT_EQ(pending.size(), 1U);
  EXPECT_EQ(pending.front().id, waiting.session_id);
  EXPECT_EQ(pending.front().redirect_uri, place.uri);
  EXPECT_EQ(pending.front().resume->agent_name, "planner");

  const std::vector<GrantedEvent> events = later->undelivered("default").value();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().session_id, done.session_id);
  EXPECT_EQ(events.front().resume.instance_key, "thread-2");
  EXPECT_EQ(events.front().payload.at("scopesGranted"), Json(JsonArray{"read", "write"}));
  EXPECT_TRUE(later->undelivered("another").value().empty());
  ASSERT_TRUE(later->mark_delivered(done.session_id).ok());
  EXPECT_TRUE(manager->undelivered("default").value().empty());
}

TEST_F(ManagerTest, SessionsAreTidiedButNotBeforeTheirAgentWasTold) {
  const AuthorizationRequired told = begin();
  come_back(told);
  ASSERT_TRUE(manager->mark_delivered(told.session_id).ok());
  const AuthorizationRequired untold = begin();
  come_back(untold);
  const AuthorizationRequired old = begin();
  now += 600;
  EXPECT_TRUE(manager->pending_sessions().value().empty());
  EXPECT_EQ(status(old), "expired");
  now += 24 * 3600;
  EXPECT_TRUE(manager->pending_sessions().value().empty());
  EXPECT_EQ(status(told), "");
  EXPECT_EQ(status(old), "");
  EXPECT_EQ(status(untold), "completed");
  EXPECT_EQ(manager->undelivered("default").value().size(), 1U);
}

TEST_F(ManagerTest, OnAFullDiskSessionsThatAreLongOverStopNobodyFromLooking) {
  const auto disk = std::make_shared<FullDisk>();
  const auto small_store = open_store(disk);
  const auto on_small = make_manager(*small_store);
  const AuthorizationRequired old = begin();
  ASSERT_TRUE(on_small->abandon_session(old.session_id).ok());
  now += 25 * 3600;
  disk->full = true;
  EXPECT_TRUE(on_small->pending_sessions().ok());
  EXPECT_EQ(on_small->session_status(old.session_id).value(), "failed");
  disk->full = false;
  EXPECT_EQ(on_small->session_status(old.session_id).value(), "");
}

TEST_F(ManagerTest, ASessionCanBeGivenUp) {
  const AuthorizationRequired required = begin();
  ASSERT_TRUE(manager->abandon_session(required.session_id).ok());
  EXPECT_EQ(status(required), "failed");
  EXPECT_EQ(come_back(required).page, CallbackOutcome::Page::Used);
  EXPECT_TRUE(manager->abandon_session("as-000000000000").ok());
}

TEST_F(ManagerTest, GrantsAreListedWithoutTheirSecrets) {
  put_grant(3600);
  put_grant(-1, "", "person");
  std::vector<GrantInfo> grants = manager->grants().value();
  ASSERT_EQ(grants.size(), 2U);
  if (grants[0].app != "person") std::swap(grants[0], grants[1]);
  EXPECT_EQ(grants[0].state, GrantInfo::State::Expired);
  EXPECT_FALSE(grants[0].refreshable);
  EXPECT_EQ(grants[1].state, GrantInfo::State::Valid);
  EXPECT_TRUE(grants[1].refreshable);
  EXPECT_EQ(grants[1].subject, "demo:team:T1");
  EXPECT_EQ(grants[1].expires_at, "2026-01-16T13:00:00Z");
}

TEST_F(ManagerTest, LogoutRevokesAndForgets) {
  put_grant(3600);
  const Manager::Logout logout = manager->logout("team", "demo:team:T1", limit()).value();
  EXPECT_TRUE(logout.revoked_at_provider);
  EXPECT_EQ(service.revocations, std::vector<std::string>{"old-access-token"});
  EXPECT_FALSE(grant().has_value());
  const Result<Manager::Logout> again = manager->logout("team", "demo:team:T1", limit());
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::NotFound);
}

TEST_F(ManagerTest, AProviderThatCannotBeReachedDoesNotKeepAGrantAlive) {
  put_grant(3600);
  service.revoked = refusal(Refusal::Retry);
  const Manager::Logout logout = manager->logout("team", "demo:team:T1", limit()).value();
  EXPECT_FALSE(logout.revoked_at_provider);
  EXPECT_FALSE(logout.problem.empty());
  EXPECT_FALSE(grant().has_value());
}

TEST_F(ManagerTest, ARefreshThatIsUnderWayDoesNotBringAGrantBackAfterLogout) {
  put_grant(-10);
  std::binary_semaphore asked(0);
  std::binary_semaphore answer(0);
  service.on_refresh = [&](std::string_view) {
    asked.release();
    answer.acquire();
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  auto refreshing = std::async(std::launch::async, [&] { return said(ask()); });
  asked.acquire();
  auto leaving = std::async(std::launch::async,
                            [&] { return manager->logout("team", "demo:team:T1", limit()).ok(); });
  answer.release();
  EXPECT_TRUE(leaving.get());
  refreshing.get();
  EXPECT_FALSE(grant().has_value());
}

}  // namespace
}  // namespace goondan::oauth
