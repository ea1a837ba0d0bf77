// Starting the program of a command, inside its supervisor.
#pragma once

#include <sys/types.h>

#include "os/command_protocol.h"

namespace goondan::os {

// The program's number, or minus an `errno`. It leads a session of its own and is killed when we
// end; its signals are at their defaults; its standard input is ours, the other two are `fds`; it
// has no other descriptor.
// A name without a slash is searched in the `PATH` of its own environment.
//
// For a process that does nothing else: our environment is replaced by the command's.
pid_t spawn_command(const CommandTexts& texts, const CommandFds& fds);

}  // namespace goondan::os
