#include "host/native/worker_main.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include "host/native/extension_runner.h"
#include "host/native/protocol.h"
#include "host/native/worker_runner.h"
#include "os/supervisor.h"

namespace goondan {
namespace {

// A plugin that prints must not spoil what gdn prints, nor read what gdn is given.
void redirect_standard_streams() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  if (::fcntl(STDERR_FILENO, F_GETFD) < 0) ::dup2(nothing, STDERR_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::close(nothing);
}

bool prepare_descriptors() {
  redirect_standard_streams();
  for (const int socket : {kCallSocket, kControlSocket}) {
    if (::fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) return false;
  }
  return true;
}

}  // namespace

int run_plugin_worker(int argc, char** argv) {
  constexpr int kUsage = 2;
  if (argc == 3 && std::string_view(argv[2]) == kExtensionMode) run_extension_worker();
  if (argc != 3 || !prepare_descriptors()) {
    std::fputs("gdn plugin-worker is started by gdn itself\n", stderr);
    return kUsage;
  }
  // If gdn is already gone, the closed socket says so.
  os::supervise({.name = "gdn-plugin", .owner = ::getppid(), .lifeline = kCallSocket},
                [argv] { run_plugin(argv[2]); });
}

}  // namespace goondan
