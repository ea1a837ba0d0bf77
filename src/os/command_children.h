// The ends of other processes as something to wait for, in the processes that only watch others.
#pragma once

#include "os/unique_fd.h"

namespace goondan::os {

// Readable when a child ends (SIGCHLD), and when the parent does (`ask_for_end_of_parent`). Blocks
// these signals. Empty if descriptors have run out.
UniqueFd make_family_event();

// Takes the event back, until the next end.
void clear_family_event(int event);

// Has the kernel send us SIGCONT when our parent ends. That signal, because it also makes a process
// go on that somebody has stopped, so that stopping us first does not help. The parent is the
// thread that started us: if it ends before its process does, the signal comes once for nothing.
void ask_for_end_of_parent();

}  // namespace goondan::os
