#include "os/wait.h"

#include <array>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace goondan::os {
namespace {

constexpr std::chrono::seconds kLong{60};

struct TestPipe {
  UniqueFd read_end;
  UniqueFd write_end;

  TestPipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

TEST(Wait, IsReadyWhenThereIsDataAndAtTheEnd) {
  TestPipe pipe;
  ASSERT_EQ(::write(pipe.write_end.get(), "x", 1), 1);
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Clock::now() + kLong), Wake::Ready);
  char byte = 0;
  ASSERT_EQ(::read(pipe.read_end.get(), &byte, 1), 1);
  pipe.write_end.reset();
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Clock::now() + kLong), Wake::Ready);
}

TEST(Wait, EndsAtTheDeadline) {
  const TestPipe pipe;
  const Deadline deadline = Clock::now() + std::chrono::milliseconds(5);
  EXPECT_EQ(wait_readable(pipe.read_end.get(), deadline), Wake::TimedOut);
  EXPECT_GE(Clock::now(), deadline);
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Deadline::min()), Wake::TimedOut);
}

TEST(Wait, WakesWhenAnotherThreadAsksToStop) {
  const TestPipe pipe;
  std::stop_source source;
  std::jthread other([&source] { source.request_stop(); });
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Deadline::max(), source.get_token()), Wake::Stopped);
}

TEST(Wait, PrefersAStopToDataAndDataToTheDeadline) {
  const TestPipe pipe;
  ASSERT_EQ(::write(pipe.write_end.get(), "x", 1), 1);
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Deadline::min()), Wake::Ready);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(wait_readable(pipe.read_end.get(), Deadline::max(), source.get_token()), Wake::Stopped);
}

TEST(Wait, TellsWhichOfSeveralIsReady) {
  const TestPipe quiet;
  const TestPipe loud;
  ASSERT_EQ(::write(loud.write_end.get(), "x", 1), 1);
  std::array<pollfd, 2> fds{pollfd{.fd = quiet.read_end.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = loud.read_end.get(), .events = POLLIN, .revents = 0}};
  EXPECT_EQ(wait_any(fds, Clock::now() + kLong, StopWaker()), Wake::Ready);
  EXPECT_EQ(fds[0].revents, 0);
  EXPECT_EQ(fds[1].revents, POLLIN);
}

TEST(Wait, CanWaitForRoomToWrite) {
  const TestPipe pipe;
  ::fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK);
  EXPECT_EQ(wait_writable(pipe.write_end.get(), Clock::now() + kLong, StopWaker()), Wake::Ready);
  const std::string much(1 << 20, 'x');
  ASSERT_GT(::write(pipe.write_end.get(), much.data(), much.size()), 0);
  EXPECT_EQ(wait_writable(pipe.write_end.get(), Clock::now(), StopWaker()), Wake::TimedOut);
}

}  // namespace
}  // namespace goondan::os
