// The process that watches one command and everything the command starts.
//
// Whoever below it loses its parent becomes its child, so nothing can hide by `setsid` or a double
// fork, and no child left means that nothing is left. It ends when the command has ended and the
// rest has been killed. It kills all of it when its control socket closes because gdn is gone, and
// when the command host is gone: then nobody would be left to watch over the supervisor itself.
#pragma once

#include "os/command_protocol.h"

namespace goondan::os {

// What a supervisor ends with; anything else means that it may have left something behind.
inline constexpr int kSupervisorDone = 0;

// Runs the command to its end, reports, and ends the process. For a fresh fork of the command
// host, whose number is `host`, with one thread.
[[noreturn]] void supervise(StartMessage message, pid_t host);

}  // namespace goondan::os
