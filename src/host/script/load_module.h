// Loading a module of a bundle into the script host.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/resources.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "host/peer/peer.h"

namespace goondan {

// For what a module imports and does while it is loaded.
inline constexpr std::chrono::seconds kModuleLoadTime{60};

struct ModuleToLoad {
  std::filesystem::path root;  // of the bundle
  std::string entry;           // relative to it
  std::string_view kind;       // "tool" | "extension"
  // Whether a tool's handlers are the ones that are wanted; empty: any.
  std::function<Result<void>(const std::vector<std::string>& handlers)> check = {};
  // Of this first load; later ones have `kModuleLoadTime`.
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
  Dialect dialect = Dialect::V1;  // of its resource
  Json place = nullptr;           // what a tool of the first dialect is told of its agent
};

// Loads it now and after each restart of the host; the key that later calls name it by.
// Fails as `check` does, with `E_CONFIG_ENTRY_OUTSIDE_BUNDLE` and
// `E_CONFIG_ENTRY_NOT_FOUND` as for native tools, `E_HOST_UNAVAILABLE` if nothing can run it,
// `E_EXT_LOAD` if the module cannot be loaded. A tool's module that cannot be loaded any more after
// a restart fails its own calls only.
Result<std::string> load_module(Peer& host, const ModuleToLoad& module);

}  // namespace goondan
