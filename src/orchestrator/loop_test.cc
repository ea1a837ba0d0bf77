#include "orchestrator/loop.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>

#include "orchestrator/backoff.h"

namespace goondan::orchestrator {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    out.reset(ends[0]);
    in.reset(ends[1]);
  }
  void put() const { EXPECT_EQ(::write(in.get(), "x", 1), 1); }
  void take() const {
    char byte = 0;
    EXPECT_EQ(::read(out.get(), &byte, 1), 1);
  }
  os::UniqueFd out;
  os::UniqueFd in;
};

TEST(Loop, CallsForADescriptorAndForTimersInTheirOrder) {
  const std::unique_ptr<Loop> loop = *Loop::make();
  const Pipe pipe;
  std::string seen;
  const Loop::Watch watch = *loop->watch(pipe.out.get(), EPOLLIN, [&](auto) {
    pipe.take();
    seen += 'r';
  });
  const Loop::Timer second = loop->at(Clock::now() + milliseconds(2), [&] { seen += '2'; });
  const Loop::Timer first = loop->at(Clock::now() + milliseconds(1), [&] { seen += '1'; });
  pipe.put();
  while (seen.size() < 3)
    loop->round(soon());
  EXPECT_TRUE(seen == "r12" || seen == "1r2" || seen == "12r") << seen;
  EXPECT_FALSE(first.pending());
}

TEST(Loop, WhatIsCalledMayEndOtherWatchesAndItself) {
  const std::unique_ptr<Loop> loop = *Loop::make();
  const Pipe one;
  const Pipe other;
  int calls = 0;
  Loop::Watch first;
  Loop::Watch second;
  const auto end_both = [&](auto) {
    ++calls;
    first.end();
    second.end();
  };
  first = *loop->watch(one.out.get(), EPOLLIN, end_both);
  second = *loop->watch(other.out.get(), EPOLLIN, end_both);
  one.put();
  other.put();
  loop->round(soon());
  loop->round(Clock::now());
  EXPECT_EQ(calls, 1);
}

TEST(Loop, ATimerThatIsCancelledOrGoneDoesNothing) {
  const std::unique_ptr<Loop> loop = *Loop::make();
  int calls = 0;
  Loop::Timer cancelled = loop->at(Clock::now(), [&] { ++calls; });
  cancelled.cancel();
  {
    const Loop::Timer gone = loop->at(Clock::now(), [&] { ++calls; });
  }
  loop->round(Clock::now());
  EXPECT_EQ(calls, 0);
}

TEST(Loop, WhatIsDeferredByDeferredWorkIsForTheNextRound) {
  const std::unique_ptr<Loop> loop = *Loop::make();
  std::string seen;
  loop->defer([&] {
    seen += 'a';
    loop->defer([&] { seen += 'b'; });
  });
  loop->round(Clock::now() + std::chrono::hours(1));
  EXPECT_EQ(seen, "a");
  loop->round(Clock::now() + std::chrono::hours(1));
  EXPECT_EQ(seen, "ab");
}

// REQ: HAND-8 DEC-9
TEST(Backoff, IsQuickFiveTimesThenDoublesToFiveMinutes) {
  Backoff backoff;
  std::vector<std::int64_t> seconds;
  for (int i = 0; i < 16; ++i)
    seconds.push_back(backoff.crashed().count() / 1000);
  EXPECT_THAT(seconds, ElementsAre(0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300));
  EXPECT_EQ(backoff.crashes(), 16);
  backoff.reset();
  EXPECT_EQ(backoff.crashed(), milliseconds(0));
}

}  // namespace
}  // namespace goondan::orchestrator
