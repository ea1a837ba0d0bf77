// `gdn` that kills itself, with SIGKILL, right after the n-th commit to the state on disk.
//
// GDN_KILL_AT="<database>:<n>[:<folder>]": `state.db:3` is the third commit of an agent,
// `orchestrator.db:7` the seventh of the orchestrator. The commits are counted in the file
// <folder>/count, one byte each, so that the count goes on in the process that comes after; at the
// n-th the process ends, and later ones go on.
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"

namespace {

struct Plan {
  std::string database;
  long at = 0;
  std::string counter;
};

Plan read_plan(const char* text) {
  const std::string plan(text);
  const std::size_t first = plan.find(':');
  const std::size_t second = plan.find(':', first + 1);
  return {.database = plan.substr(0, first),
          .at = std::strtol(plan.c_str() + first + 1, nullptr, 10),
          .counter = plan.substr(second + 1) + "/count"};
}

// The number of this commit, counting from 1. Appends of one byte are atomic.
long count(const std::string& file) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ::write(fd, ".", 1) != 1) return 0;
  struct stat status {};
  ::fstat(fd, &status);
  ::close(fd);
  return status.st_size;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const text = std::getenv("GDN_KILL_AT");
  if (text == nullptr) return goondan::run_gdn(argc, argv);
  return goondan::run_gdn(argc, argv, [plan = read_plan(text)](std::string_view database) {
    if (database == plan.database && count(plan.counter) == plan.at) std::raise(SIGKILL);
  });
}
