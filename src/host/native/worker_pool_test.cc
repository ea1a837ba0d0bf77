#include "host/native/worker_pool.h"

#include <latch>
#include <signal.h>
#include <thread>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "os/pidfd.h"

namespace goondan {
namespace {

using test::CallParts;
using test::make_call;
using test::RecordingHost;
using test::worker_options;

Result<Json> call(WorkerPool& pool, const CallParts& parts) {
  RecordingHost host;
  return pool.call(make_call(parts, host));
}

TEST(WorkerPool, UsesTheSameWorkerAgain) {
  WorkerPool pool(worker_options("well_behaved"));
  EXPECT_EQ(pool.start().value().exports.front(), "echo");
  EXPECT_EQ(pool.idle_count(), 1u);
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(call(pool, {.export_name = "echo"}).ok());
  EXPECT_EQ(pool.idle_count(), 1u);
}

TEST(WorkerPool, TheCallAfterACrashWorks) {
  WorkerPool pool(worker_options("badly_behaved"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call(pool, {.export_name = "segfault"}).error().code, ErrorCode::ToolCrash);
    EXPECT_EQ(pool.idle_count(), 0u);
    EXPECT_TRUE(call(pool, {.export_name = "echo"}).ok());
  }
}

TEST(WorkerPool, TheCallAfterATimeOutWorks) {
  WorkerPool pool(worker_options("badly_behaved"));
  EXPECT_TRUE(call(pool, {.export_name = "echo"}).ok());
  EXPECT_EQ(
      call(pool, {.export_name = "loops", .deadline = Clock::now() + std::chrono::milliseconds(20)})
          .error()
          .code,
      ErrorCode::ToolTimeout);
  EXPECT_TRUE(call(pool, {.export_name = "echo"}).ok());
}

TEST(WorkerPool, AWorkerThatDiedWhileIdleIsNotUsed) {
  WorkerPool pool(worker_options("badly_behaved"));
  const Json pid = call(pool, {.export_name = "supervisor"}).value();
  const os::UniqueFd pidfd = os::open_pidfd(static_cast<pid_t>(pid.as_int64()));
  ASSERT_EQ(pool.idle_count(), 1u);
  os::signal_pidfd(pidfd.get(), SIGKILL);
  ASSERT_EQ(os::wait_readable(pidfd.get(), test::soon()), os::Wake::Ready);
  EXPECT_NE(call(pool, {.export_name = "supervisor"}).value(), pid);
}

TEST(WorkerPool, ACrashDisturbsNoSibling) {
  WorkerPool pool(worker_options("badly_behaved"));
  constexpr int kCalls = 8;
  std::latch start(kCalls);
  std::vector<Result<Json>> results(kCalls, Json(nullptr));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kCalls; ++i) {
      threads.emplace_back([&pool, &start, &results, i] {
        start.arrive_and_wait();
        results[static_cast<std::size_t>(i)] =
            call(pool, {.export_name = i == 3 ? "segfault" : "echo"});
      });
    }
  }
  for (int i = 0; i < kCalls; ++i)
    EXPECT_EQ(results[static_cast<std::size_t>(i)].ok(), i != 3) << i;
  EXPECT_LE(pool.idle_count(), kMaxIdleWorkers);
  EXPECT_GE(pool.idle_count(), 1u);
}

TEST(WorkerPool, StartingCountsTowardsTheDeadlineOfTheCall) {
  WorkerPool pool(worker_options("hangs_on_load"));
  EXPECT_EQ(
      call(pool, {.export_name = "echo", .deadline = Clock::now() + std::chrono::milliseconds(20)})
          .error()
          .code,
      ErrorCode::ToolTimeout);
}

TEST(WorkerPool, LoadErrorsReachTheCaller) {
  WorkerPool pool(worker_options("wrong_abi"));
  EXPECT_EQ(pool.start().error().code, ErrorCode::PluginAbiVersion);
  EXPECT_EQ(call(pool, {.export_name = "echo"}).error().code, ErrorCode::PluginAbiVersion);
}

}  // namespace
}  // namespace goondan
