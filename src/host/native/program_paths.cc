#include "host/native/program_paths.h"

#include <cstdlib>
#include <vector>

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

// Where this program may have been installed or built.
std::vector<fs::path> prefixes() {
  const fs::path folder = this_program().parent_path();
  std::vector<fs::path> found{folder, folder.parent_path(), fs::path(GDN_BUILD_PREFIX),
                              fs::path(GDN_PREFIX)};
  std::erase(found, fs::path());
  return found;
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
  for (const fs::path& prefix : prefixes()) {
    Result<SdkPaths> paths = sdk_below(prefix);
    if (paths.ok()) return paths;
  }
  return Error{.code = ErrorCode::HostUnavailable,
               .message =
                   "goondan/plugin.h and libgoondan_plugin.a, with which plugins are built, "
                   "were not found",
               .suggestion = "Set GOONDAN_SDK to the folder that gdn is installed in."};
}

Result<fs::path> script_host_module() {
  constexpr const char* kModule = "host.mjs";
  const fs::path chosen = from_environment("GOONDAN_SCRIPT_HOST");
  if (!chosen.empty() && is_file(chosen / kModule)) return chosen / kModule;
  if (!chosen.empty()) {
    return Error{.code = ErrorCode::HostUnavailable,
                 .message = "GOONDAN_SCRIPT_HOST names '" + chosen.string() +
                            "', but there is no host.mjs in it",
                 .suggestion = "Set it to the folder script-host of goondan, or unset it."};
  }
  for (const fs::path& prefix : prefixes()) {
    const fs::path module = prefix / "share/goondan/script-host" / kModule;
    if (is_file(module)) return module;
  }
  return Error{.code = ErrorCode::HostUnavailable,
               .message = "host.mjs, with which JavaScript and TypeScript are run, was not found",
               .suggestion =
                   "Install gdn as a whole, or set GOONDAN_SCRIPT_HOST to the folder "
                   "script-host of goondan."};
}

}  // namespace goondan
