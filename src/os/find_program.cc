#include "os/find_program.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace goondan::os {
namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

Error not_found(const std::string& name, std::string_view where) {
  return {.code = ErrorCode::NotFound,
          .message = "there is no program '" + name + "' " + std::string(where),
          .suggestion = "Install it, or give the path of an executable file."};
}

}  // namespace

std::string find_in_path(std::string_view name) {
  const char* const value = std::getenv("PATH");
  std::string_view rest = value == nullptr ? "/usr/local/bin:/usr/bin:/bin" : value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    // An empty entry means the current folder, which may hold anything: not looked at.
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (end > 0 && is_executable(candidate)) return fs::absolute(candidate).string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<std::string> find_program(const ChildOptions& options) {
  const std::string& name = options.argv.front();
  if (!name.contains('/')) {
    std::string found = name.empty() ? std::string() : find_in_path(name);
    if (found.empty()) return not_found(name, "in PATH");
    return found;
  }
  const fs::path path = fs::path(options.folder) / name;  // `name` alone if it is absolute
  if (!is_executable(path)) return not_found(name, "that can be run");
  return fs::absolute(path).string();
}

}  // namespace goondan::os
