#include "agent/agent_fork.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "os/os_error.h"
#include "os/own_children.h"

namespace goondan::agent {
namespace {

constexpr int kSocket = 3;  // its number in the agent

void close_from(int first) {
  ::syscall(SYS_close_range, first, ~0U, 0);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);  // fails for those that cannot be changed
  for (const int number : {SIGPIPE, SIGINT, SIGHUP, SIGQUIT})
    ::signal(number, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Leaves standard output, standard error and the socket.
os::UniqueFd keep_only(os::UniqueFd socket) {
  if (socket.get() != kSocket) ::dup3(socket.get(), kSocket, O_CLOEXEC);
  static_cast<void>(socket.release());
  close_from(kSocket + 1);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing > STDIN_FILENO) {  // that itself if it was closed
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  return os::UniqueFd(kSocket);
}

[[noreturn]] void be_agent(os::UniqueFd socket, const std::function<int(os::UniqueFd)>& work) {
  reset_signals();
  os::UniqueFd kept = keep_only(std::move(socket));
  os::adopt_orphans();
  ::_exit(work(std::move(kept)));
}

// What the process in between tells: the number of the agent, or minus an errno.
[[noreturn]] void be_between(int report, os::UniqueFd socket,
                             const std::function<int(os::UniqueFd)>& work) {
  const pid_t agent = ::fork();
  if (agent == 0) be_agent(std::move(socket), work);
  const pid_t told = agent > 0 ? agent : -errno;
  static_cast<void>(::write(report, &told, sizeof told) == sizeof told);
  ::_exit(0);
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

pid_t read_report(int report) {
  pid_t told = -EIO;  // it died before it could tell
  ssize_t got = 0;
  do {
    got = ::read(report, &told, sizeof told);
  } while (got < 0 && errno == EINTR);
  return got == sizeof told ? told : -EIO;
}

}  // namespace

Result<pid_t> fork_agent(os::UniqueFd socket, const std::function<int(os::UniqueFd)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return os::os_error("cannot make a pipe", errno);
  const os::UniqueFd report(ends[0]);
  os::UniqueFd telling(ends[1]);
  const pid_t between = ::fork();
  if (between == 0) be_between(telling.get(), std::move(socket), work);
  if (between < 0) return os::os_error("cannot make another process", errno);
  telling.reset();
  reap(between);  // then it has told, or never will
  const pid_t told = read_report(report.get());
  if (told < 0) return os::os_error("cannot make another process", -told);
  return told;
}

}  // namespace goondan::agent
