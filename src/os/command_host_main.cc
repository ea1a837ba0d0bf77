#include "os/command_host_main.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <set>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/command_children.h"
#include "os/command_supervisor.h"
#include "os/pidfd.h"
#include "os/process_tree.h"

namespace goondan::os {
namespace {

constexpr std::chrono::seconds kCleanupTime{5};

// Our life is that of gdn, not of a terminal or of whoever signals all processes of a service.
void ignore_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    ::signal(number, SIG_IGN);
}

bool prepare_process() {
  if (::fcntl(kCommandHostSocket, F_SETFD, FD_CLOEXEC) != 0) return false;
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_DUMPABLE, 0);           // nobody reads or changes our memory
  ::prctl(PR_SET_NAME, "gdn-commands");  // what `ps` shows
  ignore_signals();
  ask_for_end_of_parent();
  // For what a supervisor leaves that was killed.
  return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

class CommandHostLoop {
 public:
  explicit CommandHostLoop(UniqueFd family) : family_(std::move(family)) {}

  // Until gdn closes its end; then until the supervisors have ended, who see the same. Whoever is
  // left after that is killed.
  void run() {
    std::array<pollfd, 2> fds{pollfd{.fd = kCommandHostSocket, .events = POLLIN, .revents = 0},
                              pollfd{.fd = family_.get(), .events = POLLIN, .revents = 0}};
    Deadline deadline = Deadline::max();
    while (fds[0].fd >= 0 || (!supervisors_.empty() && Clock::now() < deadline)) {
      wait_any(fds, deadline, StopWaker());
      if (fds[0].revents != 0 && start_next() == Received::End) {
        fds[0].fd = -1;
        deadline = Clock::now() + kCleanupTime;
      }
      if (fds[1].revents != 0) take_ended();
    }
    kill_descendants(::getpid(), Clock::now() + kCleanupTime);
  }

 private:
  Received start_next() {
    StartMessage message;
    const Received received = receive_start(kCommandHostSocket, message);
    if (received != Received::Message) return received;
    const pid_t host = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(kCommandHostSocket);
      supervise(std::move(message), host);
    }
    if (pid > 0) {
      supervisors_.insert(pid);
    } else {
      send_report(message.fds.control.get(),
                  {.how = CommandReport::How::NotStarted, .number = errno});
    }
    return received;
  }

  void take_ended() {
    clear_family_event(family_.get());
    if (reap() == Left::Perhaps) sweep();
  }

  enum class Left { Nothing, Perhaps };

  // Reaps all that have ended. A supervisor that was killed leaves its command to us; one that was
  // stopped has to go on, or nobody would end its command.
  Left reap() {
    Left left = Left::Nothing;
    while (true) {
      siginfo_t info{};
      const int result = ::waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG);
      if (result != 0 || info.si_pid == 0) return left;
      if (info.si_code == CLD_STOPPED) {
        ::kill(info.si_pid, SIGCONT);
        continue;
      }
      const bool supervisor = supervisors_.erase(info.si_pid) > 0;
      const bool done = info.si_code == CLD_EXITED && info.si_status == kSupervisorDone;
      if (supervisor && !done) left = Left::Perhaps;
    }
  }

  // Kills our children that are no supervisors, with all below them.
  void sweep() {
    const Deadline deadline = Clock::now() + kCleanupTime;
    while (Clock::now() < deadline) {
      std::vector<pid_t> orphans = children_of(::getpid());
      std::erase_if(orphans, [this](pid_t pid) { return supervisors_.contains(pid); });
      if (orphans.empty()) return;
      for (const pid_t orphan : orphans)
        kill_orphan(orphan, deadline);
    }
  }

  void kill_orphan(pid_t orphan, Deadline deadline) {
    const UniqueFd pidfd = open_pidfd(orphan);
    kill_tree(orphan, deadline);
    if (pidfd) wait_readable(pidfd.get(), deadline);
    reap();
  }

  UniqueFd family_;
  std::set<pid_t> supervisors_;
};

}  // namespace

int run_command_host(int argc, char**) {
  constexpr int kUsage = 2;
  if (argc != 2 || !prepare_process()) {
    std::fputs("gdn command-host is started by gdn itself\n", stderr);
    return kUsage;
  }
  UniqueFd family = make_family_event();
  if (!family) return 1;
  CommandHostLoop(std::move(family)).run();
  return 0;
}

}  // namespace goondan::os
