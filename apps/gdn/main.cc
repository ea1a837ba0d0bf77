// `gdn`: the command line, and the worker process that native plugins run in.
#include <string_view>

#include "cli/command_line.h"
#include "host/native/worker_main.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "plugin-worker") {
    return goondan::run_plugin_worker(argc, argv);
  }
  return goondan::cli::run(argc, argv);
}
