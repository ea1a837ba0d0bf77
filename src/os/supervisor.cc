#include "os/supervisor.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <climits>

#include "os/child.h"
#include "os/pidfd.h"
#include "os/process_tree.h"

namespace goondan::os {
namespace {

constexpr std::chrono::seconds kCleanupTime{5};
constexpr int kNotSupervised = 125;  // the exit code if there is nothing to watch with

// The end of a child, and the orders to end that a process can get.
sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
    ::sigaddset(&set, number);
  return set;
}

[[noreturn]] void become_program(pid_t supervisor, const std::function<void()>& run) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(0);  // it died before we asked to be told
  ::setpgid(0, 0);                            // its kill(0, ...) must not hit the supervisor
  // Crashes must look like crashes: no handler that this program or a sanitizer has set up may
  // turn them into something else.
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);
  const sigset_t set = watched_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  run();
  ::_exit(kNotSupervised);
}

// The pipes and sockets are the program's: whoever is at their other end must see it close them.
void close_all_but(int kept) {
  if (kept < 0) {
    ::close_range(0, UINT_MAX, 0);
  } else {
    if (kept > 0) ::close_range(0, static_cast<unsigned>(kept) - 1, 0);
    ::close_range(static_cast<unsigned>(kept) + 1, UINT_MAX, 0);
  }
  // No later descriptor may be taken for a standard one.
  while (true) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || nothing > STDERR_FILENO) {
      if (nothing >= 0) ::close(nothing);
      return;
    }
  }
}

struct Reaped {
  std::optional<ExitStatus> program = {};  // if it was among those that had ended
  bool all = false;                        // no child is left at all
};

// Reaps every child that has ended.
Reaped reap_ended(pid_t program) {
  Reaped reaped;
  while (true) {
    siginfo_t info{};
    const int result = ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
    reaped.all = result != 0 && errno == ECHILD;
    if (result != 0 || info.si_pid == 0) return reaped;
    if (info.si_pid != program) continue;
    const bool exited = info.si_code == CLD_EXITED;
    reaped.program = {.how = exited ? ExitStatus::How::Exited : ExitStatus::How::Signalled,
                      .number = info.si_status};
  }
}

// Whether one of the signals was an order to end.
bool take_signals(int signals) {
  bool ordered = false;
  signalfd_siginfo info{};
  while (::read(signals, &info, sizeof info) > 0)
    ordered = ordered || info.ssi_signo != SIGCHLD;
  return ordered;
}

// Waits for the end of the program (its status), of its owner, or an order to end (nothing).
std::optional<ExitStatus> watch(pid_t program, const SupervisorOptions& options) {
  const sigset_t set = watched_signals();
  const UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  const UniqueFd owner = open_pidfd(options.owner);
  if (!signals || !owner || ::getppid() != options.owner) return std::nullopt;
  std::array<pollfd, 3> fds{pollfd{.fd = signals.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = owner.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = options.lifeline, .events = POLLRDHUP, .revents = 0}};
  const StopWaker never;
  while (true) {
    wait_any(fds, Deadline::max(), never);
    if (fds[0].revents != 0) {
      const bool ordered = take_signals(signals.get());
      if (const auto status = reap_ended(program).program) return status;
      if (ordered) return std::nullopt;
    }
    if (fds[1].revents != 0 || fds[2].revents != 0) return std::nullopt;
  }
}

// Kills all descendants. Since whoever loses its parent becomes our child, none is left exactly
// when we have no child.
void clean_up(pid_t program) {
  const Deadline deadline = Clock::now() + kCleanupTime;
  do {
    kill_descendants(::getpid(), deadline);
  } while (!reap_ended(program).all && Clock::now() < deadline);
}

// Ends this process in the way the program ended, for its owner to see.
[[noreturn]] void end_like(const ExitStatus& status) {
  if (status.how == ExitStatus::How::Exited) ::_exit(status.number);
  ::signal(status.number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::kill(::getpid(), status.number);
  ::_exit(128 + status.number);
}

}  // namespace

void supervise(const SupervisorOptions& options, const std::function<void()>& run) {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_NAME, options.name);
  const sigset_t set = watched_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) ::_exit(kNotSupervised);
  const pid_t supervisor = ::getpid();
  const pid_t program = ::fork();
  if (program < 0) ::_exit(kNotSupervised);
  if (program == 0) become_program(supervisor, run);
  close_all_but(options.lifeline);
  const std::optional<ExitStatus> status = watch(program, options);
  clean_up(program);
  if (status) end_like(*status);
  ::_exit(0);
}

}  // namespace goondan::os
