#include "os/command_children.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace goondan::os {

UniqueFd make_child_event() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void clear_child_event(int event) {
  signalfd_siginfo ignored{};
  while (::read(event, &ignored, sizeof ignored) > 0) {
  }
}

}  // namespace goondan::os
