// What `gdn plugin-worker <plugin.so>` runs. Started by gdn itself, never by people.
//
// The process is a supervisor. It forks the one that runs the plugin and only watches it, so that
// there is always somebody who can clean up: when the plugin dies, or gdn does (even by `kill -9`),
// the supervisor kills everything the plugin has started, also what left by `setsid` or a double
// fork, and then ends as the plugin did.
#pragma once

namespace goondan {

// The one argument with which it runs an extension instead, see `extension_runner.h`. It is then
// itself below a supervisor, see `os::spawn_supervised`, and needs none of its own.
inline constexpr const char* kExtensionMode = "--extension";

// `argv` is that of the program: `gdn plugin-worker <plugin.so>`. Must be called while the process
// has one thread. The sockets of `protocol.h` must be open.
int run_plugin_worker(int argc, char** argv);

}  // namespace goondan
