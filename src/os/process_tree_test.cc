#include "os/process_tree.h"

#include <array>
#include <fcntl.h>
#include <functional>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "os/wait.h"

namespace goondan::os {
namespace {

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

void tell(int fd) {
  if (::write(fd, "r", 1) != 1) ::_exit(1);
}

[[noreturn]] void stay() {
  while (true)
    ::pause();
}

void ignore_polite_signals() {
  for (const int number : {SIGTERM, SIGHUP, SIGINT})
    ::signal(number, SIG_IGN);
}

// Leaves the tree as a daemon does: its parent is gone, its session is its own.
void start_daemon(int fd) {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ignore_polite_signals();
  tell(fd);
  stay();
}

void start_child(int fd) {
  if (::fork() != 0) return;
  ignore_polite_signals();
  tell(fd);
  stay();
}

// Never the same process for long: each generation starts the next and dies.
void start_walker(int fd) {
  if (::fork() != 0) return;
  tell(fd);
  while (true) {
    if (::fork() != 0) ::_exit(0);
  }
}

// A process whose main thread has ended: /proc calls it a zombie, but it goes on, and so does the
// child of its other thread.
void start_headless(int fd) {
  if (::fork() != 0) return;
  std::thread([fd] {
    start_child(fd);
    tell(fd);
    stay();
  }).detach();
  ::syscall(SYS_exit, 0);  // only this thread, and without unwinding through the test
}

// A tree whose processes all hold the write end of a pipe, so that its end of file means that not
// one of them is left.
class Tree {
 public:
  explicit Tree(const std::function<void(int)>& grow) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    read_end_.reset(ends[0]);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_CHILD_SUBREAPER, 1);
      ::setpgid(0, 0);
      grow(ends[1]);
      stay();
    }
    ::close(ends[1]);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  void await_ready(int count) const {
    char byte = 0;
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(wait_readable(read_end_.get(), soon()), Wake::Ready);
      ASSERT_EQ(::read(read_end_.get(), &byte, 1), 1);
    }
  }

  [[nodiscard]] bool all_gone() const {
    char byte = 0;
    return wait_readable(read_end_.get(), soon()) == Wake::Ready &&
           ::read(read_end_.get(), &byte, 1) == 0;
  }

  [[nodiscard]] int reap() const {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    return status;
  }

 private:
  UniqueFd read_end_;
  pid_t pid_ = 0;
};

TEST(ProcessTree, ListsChildren) {
  const Tree tree([](int fd) {
    start_child(fd);
    start_child(fd);
  });
  tree.await_ready(2);
  EXPECT_EQ(children_of(tree.pid()).size(), 2u);
  EXPECT_TRUE(children_of(999'999'999).empty());
  kill_tree(tree.pid(), soon());
  (void)tree.reap();
}

TEST(ProcessTree, NothingSurvivesThatIgnoresSignalsOrLeftBySetsid) {  // REQ: CALL-10
  const Tree tree([](int fd) {
    start_child(fd);
    start_daemon(fd);
    start_daemon(fd);
  });
  tree.await_ready(3);
  EXPECT_EQ(kill_tree(tree.pid(), soon()), Killed::All);
  EXPECT_TRUE(WIFSIGNALED(tree.reap()));
  EXPECT_TRUE(tree.all_gone());
}

TEST(ProcessTree, CatchesAProcessThatForksForEver) {
  const Tree tree([](int fd) { start_walker(fd); });
  tree.await_ready(1);
  EXPECT_EQ(kill_tree(tree.pid(), soon()), Killed::All);
  (void)tree.reap();
  EXPECT_TRUE(tree.all_gone());
}

TEST(ProcessTree, IsNotFooledByAProcessWithoutItsMainThread) {
  const Tree tree([](int fd) { start_headless(fd); });
  tree.await_ready(2);
  EXPECT_EQ(kill_tree(tree.pid(), soon()), Killed::All);
  (void)tree.reap();
  EXPECT_TRUE(tree.all_gone());
}

TEST(ProcessTree, CanSpareTheRoot) {
  const Tree tree([](int fd) {
    start_daemon(fd);
    tell(fd);
  });
  tree.await_ready(2);
  EXPECT_EQ(kill_descendants(tree.pid(), soon()), Killed::All);
  EXPECT_EQ(::kill(tree.pid(), 0), 0);
  EXPECT_EQ(::waitpid(tree.pid(), nullptr, WNOHANG), 0);
  kill_tree(tree.pid(), soon());
  (void)tree.reap();
  EXPECT_TRUE(tree.all_gone());
}

}  // namespace
}  // namespace goondan::os
