#include "orchestrator/adopted_process.h"

#include <cerrno>
#include <chrono>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os_error.h"
#include "os/pidfd.h"
#include "os/process_tree.h"

namespace goondan::orchestrator {
namespace {

// Killing is a matter of a millisecond; the loop does not wait longer for what hangs in the kernel.
constexpr std::chrono::milliseconds kKillTime{500};

}  // namespace

Result<AdoptedProcess> AdoptedProcess::open(pid_t pid) {
  if (pid <= 0) return os::os_error("cannot watch a process", ESRCH);
  os::UniqueFd pidfd = os::open_pidfd(pid);
  if (!pidfd) return os::os_error("cannot watch process " + std::to_string(pid), errno);
  return AdoptedProcess(pid, std::move(pidfd));
}

std::optional<os::ExitStatus> AdoptedProcess::ended() {
  siginfo_t info{};
  int failed = 0;
  do {
    failed = ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | WNOHANG);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) return os::ExitStatus{};
  if (info.si_pid == 0) return std::nullopt;
  using How = os::ExitStatus::How;
  return os::ExitStatus{.how = info.si_code == CLD_EXITED ? How::Exited : How::Signalled,
                        .number = info.si_status};
}

void AdoptedProcess::kill() {
  os::kill_tree(pid_, Clock::now() + kKillTime);
}

void sweep_orphans(const std::set<pid_t>& wanted) {
  for (const pid_t pid : os::children_of(::getpid())) {
    if (wanted.contains(pid)) continue;
    if (::waitpid(pid, nullptr, WNOHANG) != 0) continue;
    os::kill_tree(pid, Clock::now() + kKillTime);
    ::waitpid(pid, nullptr, WNOHANG);
  }
}

}  // namespace goondan::orchestrator
