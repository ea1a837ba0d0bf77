// `gdn`: the command line, and the processes that it starts of itself for plugins and commands.
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/command_line.h"
#include "host/native/worker_main.h"
#include "os/command_host_main.h"
#include "os/own_children.h"

namespace {

// The environment holds tokens. Commands that tools run have our user's rights; they must not read
// it from /proc, nor may it end up in a core file.
void keep_memory_private() {
  ::prctl(PR_SET_DUMPABLE, 0);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "plugin-worker") return goondan::run_plugin_worker(argc, argv);
  if (command == "command-host") return goondan::os::run_command_host(argc, argv);
  keep_memory_private();
  goondan::os::adopt_orphans();
  return goondan::cli::run(argc, argv);
}
