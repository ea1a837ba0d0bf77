#include "os/supervised_child.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>

#include "os/find_program.h"
#include "os/own_program.h"
#include "os/supervisor.h"

namespace goondan::os {
namespace {

constexpr const char* kCommand = "supervise";
constexpr int kUsage = 2;
constexpr int kCannotRun = 126;  // as shells have it

}  // namespace

Result<Child> spawn_supervised(ChildOptions options) {
  if (options.argv.empty()) {
    return Error{.code = ErrorCode::NotFound, .message = "there is no program to start"};
  }
  const std::string program = GDN_TRY(find_program(options));
  const std::filesystem::path gdn = GDN_TRY(own_program());
  // Absolute, because it may be started in another folder.
  const std::string supervisor = std::filesystem::absolute(gdn).string();
  std::vector<std::string> argv{supervisor, kCommand, std::to_string(::getpid()), program};
  argv.insert(argv.end(), options.argv.begin() + 1, options.argv.end());
  options.argv = std::move(argv);
  options.leads = ChildOptions::Leads::Session;
  return Child::spawn(options);
}

int run_supervisor(int argc, char** argv) {
  pid_t owner = 0;
  if (argc > 2) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), owner);
  if (argc < 4 || owner <= 0) {
    std::fputs("gdn supervise is started by gdn itself\n", stderr);
    return kUsage;
  }
  char** const program = argv + 3;
  supervise({.name = "gdn-supervise", .owner = owner}, [program] {
    ::execv(program[0], program);
    std::fprintf(stderr, "cannot run '%s': %s\n", program[0], std::strerror(errno));
    ::_exit(kCannotRun);
  });
}

}  // namespace goondan::os
