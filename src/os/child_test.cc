#include "os/child.h"

#include <array>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace goondan::os {
namespace {

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

ExitStatus run(ChildOptions options) {
  Result<Child> child = Child::spawn(options);
  EXPECT_TRUE(child.ok());
  return child->wait(soon()).value();
}

ExitStatus run_shell(const std::string& script) {
  return run({.argv = {"sh", "-c", script}});
}

std::pair<UniqueFd, UniqueFd> make_pipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 256> buffer{};
  while (wait_readable(fd, soon()) == Wake::Ready) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

TEST(Child, ReportsExitCodesAndSignals) {
  EXPECT_TRUE(run_shell("exit 0").success());
  EXPECT_EQ(run_shell("exit 3").text(), "exit code 3");
  EXPECT_EQ(run_shell("kill -SEGV $$").text(), "SIGSEGV");
}

TEST(Child, SaysThatThereIsNoSuchProgram) {
  const Result<Child> child = Child::spawn({.argv = {"no-such-program-anywhere"}});
  ASSERT_FALSE(child.ok());
  EXPECT_EQ(child.error().code, ErrorCode::NotFound);
  EXPECT_NE(child.error().message.find("no-such-program-anywhere"), std::string::npos);
  EXPECT_FALSE(Child::spawn({.argv = {}}).ok());
}

TEST(Child, GetsExactlyTheDescriptorsItIsGiven) {
  auto [read_end, write_end] = make_pipe();
  const UniqueFd leaky(::dup(write_end.get()));  // not close-on-exec, and still not inherited
  ChildOptions options{
      .argv = {"sh", "-c", "echo first >&5; for f in /proc/self/fd/*; do echo ${f##*/} >&5; done"},
      .fds = {{.source = write_end.get(), .target = 5}}};
  Result<Child> child = Child::spawn(options);
  ASSERT_TRUE(child.ok());
  write_end.reset();
  EXPECT_TRUE(child->wait(soon()).value().success());
  std::array<char, 256> buffer{};
  const ssize_t count = ::read(read_end.get(), buffer.data(), buffer.size());
  std::string seen(buffer.data(), static_cast<std::size_t>(count));
  // Beside these the shell holds the folder it lists, under the lowest free number.
  EXPECT_EQ(seen, "first\n0\n1\n2\n3\n5\n");
}

TEST(Child, CanSwapDescriptors) {
  auto [read_a, write_a] = make_pipe();
  auto [read_b, write_b] = make_pipe();
  const int a = write_a.get();
  const int b = write_b.get();
  EXPECT_TRUE(run({.argv = {"sh", "-c",
                            "echo a >&" + std::to_string(b) + "; echo b >&" + std::to_string(a)},
                   .fds = {{.source = a, .target = b}, {.source = b, .target = a}}})
                  .success());
  write_a.reset();
  write_b.reset();
  EXPECT_EQ(read_all(read_a.get()), "a\n");
  EXPECT_EQ(read_all(read_b.get()), "b\n");
}

TEST(Child, GetsItsOwnEnvironmentFolderAndGroup) {
  auto [read_end, write_end] = make_pipe();
  EXPECT_TRUE(run({.argv = {"/bin/sh", "-c", "echo $WORD; pwd; test $(ps -o pgid= $$) = $$"},
                   .environment = std::vector<std::string>{"WORD=hello", "PATH=/usr/bin:/bin"},
                   .folder = "/",
                   .fds = {{.source = write_end.get(), .target = 1}}})
                  .success());
  write_end.reset();
  EXPECT_EQ(read_all(read_end.get()), "hello\n/\n");
}

TEST(Child, StartsWithDefaultSignals) {
  ::signal(SIGUSR1, SIG_IGN);
  EXPECT_EQ(run_shell("kill -USR1 $$").text(), "SIGUSR1");
  ::signal(SIGUSR1, SIG_DFL);
}

TEST(Child, WaitsNoLongerThanItIsAllowedTo) {
  Result<Child> child = Child::spawn({.argv = {"sleep", "1000"}});
  ASSERT_TRUE(child.ok());
  EXPECT_FALSE(child->wait(Clock::now()).has_value());
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(child->wait(Deadline::max(), StopWaker(source.get_token())).has_value());
  EXPECT_TRUE(child->running());
  EXPECT_EQ(child->kill().text(), "SIGKILL");
  EXPECT_FALSE(child->running());
  EXPECT_EQ(child->wait(Clock::now())->text(), "SIGKILL");
}

TEST(Child, IsKilledWithItsOwnChildrenWhenItsOwnerGoes) {
  auto [read_end, write_end] = make_pipe();
  {
    const Result<Child> child = Child::spawn(
        {.argv = {"sh", "-c", "trap '' TERM; sleep 1000 & echo ready >&3; sleep 1000; wait"},
         .fds = {{.source = write_end.get(), .target = 3}}});
    ASSERT_TRUE(child.ok());
    write_end.reset();
    std::array<char, 6> ready{};
    ASSERT_EQ(::read(read_end.get(), ready.data(), ready.size()), 6);
  }
  EXPECT_EQ(read_all(read_end.get()), "");  // ends only if no holder of the pipe is left
}

}  // namespace
}  // namespace goondan::os
