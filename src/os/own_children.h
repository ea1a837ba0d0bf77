// Which processes below ours are meant to be there.
//
// A command can kill the two processes that watch it. What it had started is then given to its
// nearest ancestor that adopts orphans, else to init, where nobody finds it. The program `gdn`
// adopts, and kills what it gets. A library must not do so to a program that it is part of: for
// such a program, what loses both its watchers is out of reach.
//
// Out of reach in any case: what a command of the same user starts before it kills gdn and both
// watchers within the same millisecond (only the command itself ends then), and what runs as
// another user, by sudo for instance. To hold these takes a process namespace or a cgroup, which
// need rights that gdn cannot count on.
#pragma once

#include <functional>
#include <sys/types.h>

#include <goondan/tool_context.h>

namespace goondan::os {

// Makes this process adopt orphans from now on. For `main` of `gdn`; it cannot be taken back.
void adopt_orphans();

// Calls `spawn`, which returns the number of a new child or something negative, and notes the child
// as wanted before anybody can take it for an orphan. Thread-safe, as all below.
pid_t spawn_own_child(const std::function<pid_t()>& spawn);

// To be called once a noted child has been waited for.
void forget_own_child(pid_t pid);

// Kills and reaps all children that came to us as orphans, with everything below them. A child in
// our own session is none: whatever our processes start has left it. Does nothing in a process
// that does not adopt.
void end_orphans(Deadline deadline);

}  // namespace goondan::os
