#include "os/own_program.h"

#include <cstdlib>
#include <unistd.h>

namespace goondan::os {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

Result<fs::path> chosen_program(const fs::path& chosen) {
  if (is_program(chosen)) return chosen;
  return Error{.code = ErrorCode::HostUnavailable,
               .message = "GOONDAN_GDN names '" + chosen.string() + "', which is no program",
               .suggestion = "Set it to the path of gdn."};
}

}  // namespace

Result<fs::path> own_program() {
  if (const char* const chosen = std::getenv("GOONDAN_GDN"); chosen != nullptr && *chosen != '\0')
    return chosen_program(chosen);
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  // The link of the process itself, because the file may have been replaced by an update.
  if (self.filename() == "gdn") return fs::path("/proc/self/exe");
  const fs::path beside = self.parent_path() / "gdn";
  for (const fs::path& candidate : {beside, fs::path(GDN_BUILD_PROGRAM), fs::path(GDN_PROGRAM)}) {
    if (is_program(candidate)) return candidate;
  }
  return Error{
      .code = ErrorCode::HostUnavailable,
      .message = "the program 'gdn', which runs plugins and shell commands, was not found",
      .suggestion = "Set GOONDAN_GDN to its path, or put it beside '" + self.string() + "'."};
}

}  // namespace goondan::os
