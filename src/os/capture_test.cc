#include "os/capture.h"

#include <signal.h>

#include <gtest/gtest.h>

namespace goondan::os {
namespace {

CaptureOptions shell(const std::string& script) {
  return {.child = {.argv = {"sh", "-c", script}},
          .deadline = Clock::now() + std::chrono::seconds(60)};
}

TEST(Capture, KeepsBothOutputsInOrder) {
  const Captured captured = run_captured(shell("echo a; echo b >&2; echo c; exit 4")).value();
  EXPECT_EQ(captured.output, "a\nb\nc\n");
  EXPECT_EQ(captured.status.text(), "exit code 4");
  EXPECT_EQ(captured.ended, Wake::Ready);
}

TEST(Capture, DropsWhatIsTooMuch) {
  CaptureOptions options = shell("head -c 1000000 /dev/zero");
  options.max_output = 1000;
  const Captured captured = run_captured(options).value();
  EXPECT_EQ(captured.output.size(), 1000u);
  EXPECT_EQ(captured.bytes_dropped, 999'000u);
  EXPECT_TRUE(captured.status.success());
}

TEST(Capture, EndsAProgramThatDoesNotEnd) {
  CaptureOptions options = shell("echo begun; while :; do :; done");
  options.deadline = Clock::now() + std::chrono::milliseconds(50);
  const Captured captured = run_captured(options).value();
  EXPECT_EQ(captured.ended, Wake::TimedOut);
  EXPECT_EQ(captured.status.text(), "SIGKILL");
}

TEST(Capture, EndsWhenItIsToldToStop) {
  std::stop_source source;
  source.request_stop();
  const Captured captured =
      run_captured(shell("sleep 1000"), StopWaker(source.get_token())).value();
  EXPECT_EQ(captured.ended, Wake::Stopped);
}

TEST(Capture, DoesNotWaitForABackgroundProcessThatHoldsTheOutput) {
  const Captured captured = run_captured(shell("sleep 100 & echo $!; exit 0")).value();
  EXPECT_TRUE(captured.status.success());
  const pid_t sleeper = std::stoi(captured.output);
  EXPECT_EQ(::kill(sleeper, SIGKILL), 0);
}

TEST(Capture, SaysThatThereIsNoSuchProgram) {
  const auto captured = run_captured({.child = {.argv = {"no-such-program-anywhere"}}});
  ASSERT_FALSE(captured.ok());
  EXPECT_EQ(captured.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace goondan::os
