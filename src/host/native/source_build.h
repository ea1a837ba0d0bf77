// Building a plugin whose entry is a C++ file, once for each state of its sources.
#pragma once

#include <filesystem>
#include <stop_token>

#include <goondan/result.h>

#include "host/native/program_paths.h"

namespace goondan {

// .cc, .cpp, .cxx
bool is_plugin_source(const std::filesystem::path& entry);

// `$GOONDAN_STATE_ROOT/build`, else `$XDG_CACHE_HOME/goondan/build`, else
// `~/.cache/goondan/build`. `E_PLUGIN_BUILD` if none of these variables is set.
Result<std::filesystem::path> build_cache_folder();

// The shared library built from `entry`, from the cache if its sources have not changed (all C++
// files in the entry's folder and below; the entry is the only one that is compiled). Several
// processes may do this at once. `E_PLUGIN_BUILD` with the compiler's first errors if it fails,
// `E_TOOL_CANCELLED` on a stop.
Result<std::filesystem::path> build_plugin(const std::filesystem::path& entry, const SdkPaths& sdk,
                                           const std::stop_token& stop = {});

}  // namespace goondan
