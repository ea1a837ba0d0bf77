#include "entry.h"

#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "agent/zygote_main.h"
#include "cli/command_line.h"
#include "host/native/worker_main.h"
#include "orchestrator/orchestrator_main.h"
#include "os/command_host_main.h"
#include "os/own_children.h"
#include "os/supervised_child.h"

namespace goondan {
namespace {

// The environment holds tokens. Commands that tools run have our user's rights; they must not read
// it from /proc, nor may it end up in a core file.
void keep_memory_private() {
  ::prctl(PR_SET_DUMPABLE, 0);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace

int run_gdn(int argc, char** argv, const store::CommitHook& after_commit) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "plugin-worker") return run_plugin_worker(argc, argv);
  if (command == "command-host") return os::run_command_host(argc, argv);
  if (command == "supervise") return os::run_supervisor(argc, argv);
  keep_memory_private();
  // Agents adopt for themselves, and must come to the orchestrator when they have been forked.
  if (command == "zygote") return agent::run_zygote(argc, argv, after_commit);
  os::adopt_orphans();
  if (command == "orchestrator") return orchestrator::run_orchestrator(argc, argv, after_commit);
  return cli::run(argc, argv);
}

}  // namespace goondan
