#include "os/command_spawn.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace goondan::os {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  // `posix_spawn` takes pointers to non-const for reasons of C; it does not write.
  for (const std::string& text : texts)
    out.push_back(
        const_cast<char*>(text.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  out.push_back(nullptr);
  return out;
}

void set_attributes(posix_spawnattr_t& attributes) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigdelset(&all, SIGKILL);
  ::sigdelset(&all, SIGSTOP);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

}  // namespace

pid_t spawn_command(const CommandTexts& texts, const CommandFds& fds) {
  const std::vector<char*> argv = pointers(texts.argv);
  std::vector<char*> environment = pointers(texts.environment);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&actions);
  set_attributes(attributes);
  ::posix_spawn_file_actions_addfchdir_np(&actions, fds.folder.get());
  ::posix_spawn_file_actions_adddup2(&actions, fds.out.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, fds.err.get(), STDERR_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  environ = environment.data();  // where `posix_spawnp` looks for PATH
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, argv.front(), &actions, &attributes, argv.data(), environ);
  static char* nothing = nullptr;
  environ = &nothing;
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return error == 0 ? pid : -error;
}

}  // namespace goondan::os
