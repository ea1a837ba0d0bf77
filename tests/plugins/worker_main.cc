// `gdn plugin-worker` and `gdn supervise` without the rest of gdn.
#include "host/native/worker_main.h"

#include <string_view>

#include "os/supervised_child.h"

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "supervise") return goondan::os::run_supervisor(argc, argv);
  return goondan::run_plugin_worker(argc, argv);
}
