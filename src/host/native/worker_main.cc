#include "host/native/worker_main.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/native/protocol.h"
#include "host/native/worker_runner.h"
#include "os/child.h"
#include "os/pidfd.h"
#include "os/process_tree.h"

namespace goondan {
namespace {

constexpr std::chrono::seconds kCleanupTime{5};

using os::ExitStatus;

sigset_t child_signal() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

// Crashes must look like crashes: no handler that this program or a sanitizer has set up may turn
// them into something else.
void reset_crash_signals() {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::signal(number, SIG_DFL);
}

// A plugin that prints must not spoil what gdn prints, nor read what gdn is given.
void redirect_standard_streams() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  if (::fcntl(STDERR_FILENO, F_GETFD) < 0) ::dup2(nothing, STDERR_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::close(nothing);
}

bool become_supervisor() {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_NAME, "gdn-plugin");  // what `ps` shows
  redirect_standard_streams();
  for (const int socket : {kCallSocket, kControlSocket}) {
    if (::fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) return false;
  }
  const sigset_t set = child_signal();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

[[noreturn]] void become_runner(pid_t supervisor, const char* path) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(0);  // it died before we asked to be told
  ::setpgid(0, 0);                            // a plugin's kill(0, ...) must not hit the supervisor
  reset_crash_signals();
  const sigset_t set = child_signal();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  run_plugin(path);
}

struct Reaped {
  std::optional<ExitStatus> runner = {};  // if it was among those that had ended
  bool all = false;                       // no child is left at all
};

// Reaps every child that has ended.
Reaped reap_ended(pid_t runner) {
  Reaped reaped;
  while (true) {
    siginfo_t info{};
    const int result = ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
    reaped.all = result != 0 && errno == ECHILD;
    if (result != 0 || info.si_pid == 0) return reaped;
    if (info.si_pid != runner) continue;
    const bool exited = info.si_code == CLD_EXITED;
    reaped.runner = {.how = exited ? ExitStatus::How::Exited : ExitStatus::How::Signalled,
                     .number = info.si_status};
  }
}

// Waits for the end of the plugin (its status) or of gdn (nothing).
std::optional<ExitStatus> watch(pid_t runner, int host, int children) {
  std::array<pollfd, 3> fds{pollfd{.fd = children, .events = POLLIN, .revents = 0},
                            pollfd{.fd = kCallSocket, .events = POLLRDHUP, .revents = 0},
                            pollfd{.fd = host, .events = POLLIN, .revents = 0}};
  const os::StopWaker never;
  while (true) {
    os::wait_any(fds, Deadline::max(), never);
    if (fds[0].revents != 0) {
      signalfd_siginfo ignored{};
      while (::read(children, &ignored, sizeof ignored) > 0) {
      }
      if (const auto status = reap_ended(runner).runner) return status;
    }
    if (fds[1].revents != 0 || fds[2].revents != 0) return std::nullopt;
  }
}

// Kills all descendants. Since whoever loses its parent becomes our child, none is left exactly
// when we have no child.
void clean_up(pid_t runner) {
  const Deadline deadline = Clock::now() + kCleanupTime;
  do {
    os::kill_descendants(::getpid(), deadline);
  } while (!reap_ended(runner).all && Clock::now() < deadline);
}

// Ends this process in the way the plugin's ended, for gdn to see.
[[noreturn]] void end_like(const ExitStatus& status) {
  if (status.how == ExitStatus::How::Exited) ::_exit(status.number);
  ::signal(status.number, SIG_DFL);
  ::kill(::getpid(), status.number);
  ::_exit(128 + status.number);
}

}  // namespace

int run_plugin_worker(int argc, char** argv) {
  constexpr int kUsage = 2;
  if (argc != 3 || !become_supervisor()) {
    std::fputs("gdn plugin-worker is started by gdn itself\n", stderr);
    return kUsage;
  }
  const pid_t supervisor = ::getpid();
  const os::UniqueFd host = os::open_pidfd(::getppid());
  const sigset_t set = child_signal();
  const os::UniqueFd children(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  const pid_t runner = children ? ::fork() : -1;
  if (runner < 0) return 1;
  if (runner == 0) become_runner(supervisor, argv[2]);
  ::close(kControlSocket);
  const std::optional<ExitStatus> status = watch(runner, host.get(), children.get());
  clean_up(runner);
  if (status) end_like(*status);
  ::_exit(0);
}

}  // namespace goondan
