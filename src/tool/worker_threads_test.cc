#include "tool/worker_threads.h"

#include <atomic>
#include <future>
#include <latch>

#include <gtest/gtest.h>

namespace goondan {
namespace {

TEST(WorkerThreads, RunsJobsSideBySide) {
  WorkerThreads threads(4);
  std::latch all_in(4);
  std::latch done(4);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(threads
                    .start([&] {
                      all_in.arrive_and_wait();
                      done.count_down();
                    })
                    .ok());
  }
  done.wait();
}

TEST(WorkerThreads, ReusesThreadsForManyJobs) {
  WorkerThreads threads(2);
  std::atomic<int> count = 0;
  for (int i = 0; i < 1000; ++i) {
    std::promise<void> done;
    ASSERT_TRUE(threads
                    .start([&] {
                      ++count;
                      done.set_value();
                    })
                    .ok());
    done.get_future().wait();
  }
  EXPECT_EQ(count, 1000);
}

TEST(WorkerThreads, DoesNotWaitForAJobThatHangs) {
  std::promise<void> release;
  auto gate = std::make_shared<std::shared_future<void>>(release.get_future().share());
  auto finished = std::make_shared<std::promise<void>>();
  auto ended = finished->get_future();
  {
    WorkerThreads threads(2);
    ASSERT_TRUE(threads
                    .start([gate, finished] {
                      gate->wait();
                      finished->set_value();
                    })
                    .ok());
  }
  release.set_value();
  ended.wait();
}

}  // namespace
}  // namespace goondan
