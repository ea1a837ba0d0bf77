#include "cli/auth_browser.h"

#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "os/find_program.h"

namespace goondan::cli {
namespace {

bool has_display() {
  for (const char* const name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

// The browser is not ours to end, so this is no `os::Child`.
void spawn_and_leave(const std::string& program, const std::string& link) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  sigset_t none;
  sigemptyset(&none);  // ours are blocked
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::string name = "xdg-open";
  std::string address = link;
  char* const arguments[] = {name.data(), address.data(), nullptr};
  pid_t pid = 0;
  ::posix_spawn(&pid, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void open_in_browser(const std::string& link) {
  const bool web = link.starts_with("https://") || link.starts_with("http://");
  if (!web || !is_terminal(Stream::Out) || !has_display()) return;
  const std::string program = os::find_in_path("xdg-open");
  if (!program.empty()) spawn_and_leave(program, link);
}

}  // namespace goondan::cli
