// A process that does nothing but watch another, so that there is always somebody who can clean up.
//
// When the program ends, or the process that ordered it dies (even by `kill -9`), the supervisor
// kills everything the program has started, also what left by `setsid` or a double fork, and then
// ends in the way the program did.
#pragma once

#include <functional>
#include <sys/types.h>

namespace goondan::os {

struct SupervisorOptions {
  const char* name;   // what `ps` shows, at most 15 bytes
  pid_t owner;        // dies: so does all; usually the parent
  int lifeline = -1;  // a socket; the other end is closed: the same. -1: none
};

// Turns this process, which must have one thread, into a supervisor of `run`, which it calls in a
// child and which must not return. The child leads a group of its own, has all signals at their
// defaults, and dies with the supervisor. The supervisor keeps no other descriptor than `lifeline`.
[[noreturn]] void supervise(const SupervisorOptions& options, const std::function<void()>& run);

}  // namespace goondan::os
