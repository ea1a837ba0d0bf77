// What `gdn command-host` runs. Started by gdn itself, never by people.
//
// The process does nothing but start a supervisor for each command. It exists so that starting one
// costs a fork of something small, and so that a command's ancestors hold no secret: it is started
// without any in its environment.
#pragma once

namespace goondan::os {

// `argv` is that of the program: `gdn command-host`. Must be called while the process has one
// thread, with a socket as descriptor `kCommandHostSocket`.
int run_command_host(int argc, char** argv);

}  // namespace goondan::os
