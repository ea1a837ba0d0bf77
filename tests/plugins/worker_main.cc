// `gdn plugin-worker` without the rest of gdn.
#include "host/native/worker_main.h"

int main(int argc, char** argv) {
  return goondan::run_plugin_worker(argc, argv);
}
