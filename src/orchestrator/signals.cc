#include "orchestrator/signals.h"

#include <cerrno>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "os/os_error.h"

namespace goondan::orchestrator {
namespace {

void read_all(int fd, const std::function<void(int signal)>& arrived) {
  signalfd_siginfo info{};
  while (::read(fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    arrived(static_cast<int>(info.ssi_signo));
  }
}

}  // namespace

Result<Signals> Signals::make(Loop& loop, std::function<void(int signal)> arrived) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD})
    ::sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  os::UniqueFd fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return os::os_error("cannot take signals", errno);
  const int number = fd.get();
  Loop::Watch watch = GDN_TRY(loop.watch(
      number, EPOLLIN, [number, call = std::move(arrived)](auto) { read_all(number, call); }));
  return Signals(std::move(fd), std::move(watch));
}

}  // namespace goondan::orchestrator
