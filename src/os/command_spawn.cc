#include "os/command_spawn.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/exec_pointers.h"

namespace goondan::os {
namespace {

void reset_signals() {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);  // refused for a few, which have no other way
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// All of ours are closed by the start of a program; the last line is for what we do not know of.
bool place_fds(const CommandFds& fds) {
  if (::fchdir(fds.folder.get()) != 0) return false;
  if (::dup2(fds.out.get(), STDOUT_FILENO) < 0 || ::dup2(fds.err.get(), STDERR_FILENO) < 0)
    return false;
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // from Linux 5.11
  return true;
}

// In the new process. Returns only if the program cannot be started, with `errno` set.
void become_command(char* const* argv, pid_t supervisor, const CommandFds& fds) {
  // If gdn and both processes that watch are killed together, at least the command itself ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(1);  // it died before we asked
  ::setsid();
  if (!place_fds(fds)) return;
  reset_signals();
  ::execvp(argv[0], argv);
}

}  // namespace

pid_t spawn_command(const CommandTexts& texts, const CommandFds& fds) {
  const std::vector<char*> argv = exec_pointers(texts.argv);
  std::vector<char*> environment = exec_pointers(texts.environment);
  environ = environment.data();  // also where `execvp` looks for PATH
  std::array<int, 2> ends{};     // where the child tells why it failed; closed by its start
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -errno;
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const pid_t supervisor = ::getpid();
  const pid_t pid = ::fork();
  int number = errno;
  if (pid == 0) {
    become_command(argv.data(), supervisor, fds);
    number = errno;
    ::_exit(::write(writer.get(), &number, sizeof number) > 0 ? 1 : 2);
  }
  static char* nothing = nullptr;
  environ = &nothing;
  writer.reset();
  if (pid < 0) return -number;
  if (::read(reader.get(), &number, sizeof number) != sizeof number) return pid;
  ::waitpid(pid, nullptr, 0);
  return -number;
}

}  // namespace goondan::os
