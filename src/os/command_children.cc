#include "os/command_children.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace goondan::os {

UniqueFd make_family_event() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  ::sigaddset(&set, SIGCONT);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void clear_family_event(int event) {
  signalfd_siginfo ignored{};
  while (::read(event, &ignored, sizeof ignored) > 0) {
  }
}

void ask_for_end_of_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
}

}  // namespace goondan::os
