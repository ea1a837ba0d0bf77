// Ending processes together with everything they have started.
#pragma once

#include <sys/types.h>
#include <vector>

#include <goondan/tool_context.h>

namespace goondan::os {

// The processes whose parent is `pid`, zombies included. Empty if there is no such process.
std::vector<pid_t> children_of(pid_t pid);

enum class Killed { All, SomeLeft };

// Kills all descendants of `root`, not `root` itself, until none runs any more. Each is stopped
// before its children are listed, so that a tree that keeps forking cannot outrun the walk.
//
// Descendants that left by `setsid` or a double fork are found because they are given to `root`
// when their parent dies. That holds if `root` is a child subreaper, as the plugin supervisor is;
// without one, such a process belongs to init and is out of reach.
//
// `SomeLeft`: at the deadline one still ran, e.g. one of another user, or one that hangs in the
// kernel. The dead are left for `root` to reap.
Killed kill_descendants(pid_t root, Deadline deadline);

// Stops `pid`, kills its descendants, then itself and its process group. `pid` must be a child of
// the caller that has not been waited for (else the number may be another process by now); waiting
// for it is left to the caller.
Killed kill_tree(pid_t pid, Deadline deadline);

}  // namespace goondan::os
