#include "os/child.h"

#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "os/exec_pointers.h"
#include "os/os_error.h"
#include "os/own_children.h"
#include "os/pidfd.h"
#include "os/process_tree.h"
#include "os/signal_name.h"

namespace goondan::os {
namespace {

// Killing is a matter of a millisecond; past this something hangs in the kernel.
constexpr std::chrono::seconds kKillTime{5};

// The plan that `posix_spawn` carries out in the child.
class Plan {
 public:
  Plan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~Plan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  Result<void> add_fds(const std::vector<ChildFd>& fds) {
    int last = STDERR_FILENO;
    for (const ChildFd& fd : fds)
      last = std::max(last, fd.target);
    std::vector<bool> used(static_cast<std::size_t>(last) + 1, false);
    for (const ChildFd& fd : fds) {
      // A source among the targets might be overwritten before its turn comes: use a copy.
      UniqueFd copy(::fcntl(fd.source, F_DUPFD_CLOEXEC, last + 1));
      if (!copy) return os_error("cannot copy a file descriptor", errno);
      ::posix_spawn_file_actions_adddup2(&actions_, copy.get(), fd.target);
      copies_.push_back(std::move(copy));
      used[static_cast<std::size_t>(fd.target)] = true;
    }
    for (int fd = STDERR_FILENO + 1; fd <= last; ++fd) {
      if (!used[static_cast<std::size_t>(fd)]) ::posix_spawn_file_actions_addclose(&actions_, fd);
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, last + 1);
    return {};
  }

  void set_folder(const std::string& folder) {
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }

  void set_attributes(ChildOptions::Leads leads) {
    sigset_t all;
    ::sigfillset(&all);
    ::sigdelset(&all, SIGKILL);
    ::sigdelset(&all, SIGSTOP);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (leads == ChildOptions::Leads::Group) flags |= POSIX_SPAWN_SETPGROUP;
    if (leads == ChildOptions::Leads::Session) flags |= POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }

  // The child's number, or minus the error's.
  pid_t run(const ChildOptions& options) {
    const std::vector<char*> argv = exec_pointers(options.argv);
    std::vector<char*> environment;
    if (options.environment) environment = exec_pointers(*options.environment);
    pid_t pid = 0;
    const int error = ::posix_spawnp(&pid, argv.front(), &actions_, &attributes_, argv.data(),
                                     options.environment ? environment.data() : environ);
    return error == 0 ? pid : -error;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  std::vector<UniqueFd> copies_;
};

ExitStatus reap(int pidfd) {
  siginfo_t info{};
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED) != 0) {
    if (errno != EINTR) return {};
  }
  const bool exited = info.si_code == CLD_EXITED;
  return {.how = exited ? ExitStatus::How::Exited : ExitStatus::How::Signalled,
          .number = info.si_status};
}

}  // namespace

std::string ExitStatus::text() const {
  switch (how) {
    case How::Exited:
      return "exit code " + std::to_string(number);
    case How::Signalled:
      return signal_name(number);
    case How::Unknown:
      break;
  }
  return "unknown status";
}

Result<Child> Child::spawn(const ChildOptions& options) {
  if (options.argv.empty()) return os_error("cannot start a program without a name", EINVAL);
  Plan plan;
  plan.set_folder(options.folder);
  plan.set_attributes(options.leads);
  GDN_TRY(plan.add_fds(options.fds));
  const pid_t pid = spawn_own_child([&] { return plan.run(options); });
  if (pid < 0) {
    Error error = os_error("cannot start '" + options.argv.front() + "'", -pid);
    if (pid == -ENOENT) error.code = ErrorCode::NotFound;
    return error;
  }
  UniqueFd pidfd = open_pidfd(pid);
  if (pidfd) return Child(pid, std::move(pidfd));
  const int number = errno;
  if (number != ESRCH) {  // else somebody has reaped it, and the number may be another process
    kill_tree(pid, Clock::now() + kKillTime);
    ::waitpid(pid, nullptr, 0);
  }
  forget_own_child(pid);
  return os_error("cannot watch '" + options.argv.front() + "'", number);
}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  if (pidfd_) kill();
  pid_ = other.pid_;
  pidfd_ = std::move(other.pidfd_);
  status_ = other.status_;
  return *this;
}

Child::~Child() {
  if (pidfd_) kill();
}

bool Child::running() const {
  return !status_ && wait_readable(pidfd_.get(), Clock::now(), StopWaker()) != Wake::Ready;
}

std::optional<ExitStatus> Child::wait(Deadline deadline, const StopWaker& stop) {
  if (status_) return status_;
  if (wait_readable(pidfd_.get(), deadline, stop) != Wake::Ready) return std::nullopt;
  status_ = reap(pidfd_.get());
  forget_own_child(pid_);
  return status_;
}

ExitStatus Child::kill() {
  if (status_) return *status_;
  kill_tree(pid_, Clock::now() + kKillTime);
  return wait(Clock::now() + kKillTime).value_or(ExitStatus{});
}

}  // namespace goondan::os
