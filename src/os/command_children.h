// The end of children as something to wait for, in the processes that only watch others.
#pragma once

#include "os/unique_fd.h"

namespace goondan::os {

// Blocks SIGCHLD and makes it readable instead. Empty if descriptors have run out.
UniqueFd make_child_event();

// Takes the event back, until the next child ends.
void clear_child_event(int event);

}  // namespace goondan::os
