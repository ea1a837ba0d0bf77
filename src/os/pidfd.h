// Processes as file descriptors. System calls of our own, because the C library's header
// (<sys/pidfd.h> of glibc 2.36) cannot be linked from C++.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "os/unique_fd.h"

namespace goondan::os {

// Readable once the process has ended. Empty, with `errno` set, if that failed; always
// close-on-exec.
inline UniqueFd open_pidfd(pid_t pid) {
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

inline void signal_pidfd(int pidfd, int signal) {
  ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0);
}

}  // namespace goondan::os
