#include "cli/run_signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace goondan::cli {

Signals::Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  const int fd = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  // Where they cannot be waited for they keep ending the process.
  if (fd >= 0) pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  fd_.reset(fd);
}

std::optional<int> Signals::take() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof(info)) != sizeof(info)) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace goondan::cli
