// Where gdn's own files are: the program that runs plugin workers, what a plugin is built with, and
// what runs scripts.
#pragma once

#include <filesystem>

#include <goondan/result.h>

namespace goondan {

// The program to run as `PROGRAM plugin-worker ...`; see `os::own_program`. Fails with
// `E_HOST_UNAVAILABLE`, saying what to set.
Result<std::filesystem::path> worker_program();

struct SdkPaths {
  std::filesystem::path include;  // the folder with `goondan/plugin.h` in it
  std::filesystem::path library;  // libgoondan_plugin.a
};

// What a plugin is compiled and linked with: below `$GOONDAN_SDK`, beside this program, below the
// prefix it is installed in, or where this library was built or installed. Fails with
// `E_HOST_UNAVAILABLE`.
Result<SdkPaths> sdk_paths();

// The SDK below `prefix`: `include` and `lib` or Debian's `lib/<machine>`. Fails as `sdk_paths`.
Result<SdkPaths> sdk_below(const std::filesystem::path& prefix);

// The module that Bun or Node runs for us: `host.mjs` in `$GOONDAN_SCRIPT_HOST`, else in
// `share/goondan/script-host` below the same places. Fails with `E_HOST_UNAVAILABLE`.
Result<std::filesystem::path> script_host_module();

}  // namespace goondan
