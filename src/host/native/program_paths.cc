#include "host/native/program_paths.h"

#include <cstdlib>

#include "os/own_program.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// Empty if it is not set.
fs::path from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

Result<fs::path> worker_program() {
  Result<fs::path> program = os::own_program();
  if (!program.ok()) program.error().suggestion += " Or use `isolation: inProcess`.";
  return program;
}

Result<SdkPaths> sdk_below(const fs::path& prefix) {
  for (const char* const folder : {"lib", GDN_LIBRARY_FOLDER, "lib/x86_64-linux-gnu"}) {
    SdkPaths paths{.include = prefix / "include",
                   .library = prefix / folder / "libgoondan_plugin.a"};
    if (is_file(paths.include / "goondan/plugin.h") && is_file(paths.library)) return paths;
  }
  return Error{
      .code = ErrorCode::HostUnavailable,
      .message = "no goondan/plugin.h with libgoondan_plugin.a below '" + prefix.string() + "'",
      .suggestion = "Set GOONDAN_SDK to the folder that gdn is installed in."};
}

Result<SdkPaths> sdk_paths() {
  const fs::path chosen = from_environment("GOONDAN_SDK");
  if (!chosen.empty()) return sdk_below(chosen);
  const fs::path folder = this_program().parent_path();
  for (const fs::path& prefix :
       {folder, folder.parent_path(), fs::path(GDN_BUILD_PREFIX), fs::path(GDN_PREFIX)}) {
    if (prefix.empty()) continue;
    Result<SdkPaths> paths = sdk_below(prefix);
    if (paths.ok()) return paths;
  }
  return Error{.code = ErrorCode::HostUnavailable,
               .message =
                   "goondan/plugin.h and libgoondan_plugin.a, with which plugins are built, "
                   "were not found",
               .suggestion = "Set GOONDAN_SDK to the folder that gdn is installed in."};
}

}  // namespace goondan
