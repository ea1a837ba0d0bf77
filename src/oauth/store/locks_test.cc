// One holder of a record's lock among all threads and processes.
#include <array>
#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

Deadline in_a_minute() {
  return Clock::now() + std::chrono::seconds(60);
}

class OAuthLockTest : public OAuthStoreTest {};

TEST_F(OAuthLockTest, OneThreadAtATime) {
  const auto first = open();
  const auto second = open();
  std::atomic<int> inside = 0;  // the file's lock is none that a race detector sees
  std::atomic<int> total = 0;
  std::atomic<int> failed = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      Store& store = i % 2 == 0 ? *first : *second;
      for (int round = 0; round < 25; ++round) {
        const auto held = store.lock(grant(), in_a_minute(), {});
        if (!held.ok() || ++inside != 1) ++failed;
        ++total;
        --inside;
      }
    });
  threads.clear();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(total, 8 * 25);
}

TEST_F(OAuthLockTest, NamesDoNotWaitForEachOther) {
  const auto store = open();
  const auto one = store->lock(grant("a"), Clock::now(), {});
  const auto two = store->lock(grant("b"), Clock::now(), {});
  const auto three = store->lock({RecordKind::Session, "slack-bot", "a"}, Clock::now(), {});
  EXPECT_TRUE(one.ok() && two.ok() && three.ok());
  EXPECT_EQ(failure_code(store->lock(grant("a"), Clock::now(), {})), ErrorCode::StoreBusy);
  EXPECT_TRUE(store->put(grant("a"), text_of("no lock is needed"), 0).ok());
}

TEST_F(OAuthLockTest, OutlivesTheStoreAndIsFreeAfterwards) {
  auto store = open();
  {
    auto held = store->lock(grant(), Deadline::max(), {});
    ASSERT_TRUE(held.ok());
    store.reset();
    EXPECT_EQ(failure_code(open()->lock(grant(), Clock::now(), {})), ErrorCode::StoreBusy);
  }
  EXPECT_TRUE(open()->lock(grant(), Deadline::max(), {}).ok());
}

TEST_F(OAuthLockTest, AStopEndsTheWait) {
  const auto holder = open();
  const auto held = holder->lock(grant(), in_a_minute(), {});
  const auto other = open();
  // A thread of the same store, and one that waits as another process would.
  for (Store* store : {holder.get(), other.get()}) {
    std::stop_source stop;
    ErrorCode code = ErrorCode::Internal;
    {
      const std::jthread waiter(
          [&] { code = failure_code(store->lock(grant(), Deadline::max(), stop.get_token())); });
      stop.request_stop();
    }
    EXPECT_EQ(code, ErrorCode::ToolCancelled);
  }
}

TEST_F(OAuthLockTest, ADeadHolderIsNone) {
  const auto store = open();
  std::array<int, 2> told{};
  ASSERT_EQ(::pipe(told.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(120);
    const auto held = store->lock(grant(), in_a_minute(), {});
    (void)!::write(told[1], "x", 1);
    for (;;)
      ::pause();
  }
  std::array<char, 1> byte{};
  ASSERT_EQ(::read(told[0], byte.data(), 1), 1);
  EXPECT_EQ(failure_code(store->lock(grant(), Clock::now(), {})), ErrorCode::StoreBusy);
  ::kill(child, SIGKILL);
  EXPECT_TRUE(store->lock(grant(), in_a_minute(), {}).ok());
  ::waitpid(child, nullptr, 0);
  ::close(told[0]);
  ::close(told[1]);
}

// REQ: S3-12.5.3
TEST_F(OAuthLockTest, ProcessesThatReadAndWriteUnderTheLockLoseNothing) {
  write(*open(), grant(), "0");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(120);
      const auto store = open();
      for (int round = 0; round < 20; ++round) {
        const auto held = store->lock(grant(), in_a_minute(), {});
        const auto found = store->get(grant());
        if (!held.ok() || !found.ok() || !found->has_value()) ::_exit(1);
        const int next = std::stoi(read(*store, grant())) + 1;
        if (!store->put(grant(), text_of(std::to_string(next)), (*found)->generation).ok())
          ::_exit(2);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read(*open(), grant()), "80");
}

}  // namespace
}  // namespace goondan::oauth
