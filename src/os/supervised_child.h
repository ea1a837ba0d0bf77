// A child that may start processes of its own and must not outlive us, whatever happens: between it
// and us stands `gdn supervise`, which ends the whole tree when the child or this process ends.
#pragma once

#include "os/child.h"

namespace goondan::os {

// Like `Child::spawn`, always in a session of its own; the pid is the supervisor's, which ends in
// the way the program ended. Fails as it does, also with `E_NOT_FOUND` if the program itself is not
// there.
Result<Child> spawn_supervised(ChildOptions options);

// The main function of `gdn supervise OWNER PROGRAM [ARGUMENT...]`, started by `spawn_supervised`.
// `OWNER` is the number of the process whose end is also the program's.
int run_supervisor(int argc, char** argv);

}  // namespace goondan::os
