// From a tool in a bundle to handlers in the registry, for tools that are shared libraries.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string_view>

#include <goondan/bundle.h>
#include <goondan/registry.h>
#include <goondan/result.h>

namespace goondan {

// The real path of `entry`, which is relative to `root`. A link may lead anywhere inside the bundle
// but not out of it (`E_CONFIG_ENTRY_OUTSIDE_BUNDLE`); the file must exist
// (`E_CONFIG_ENTRY_NOT_FOUND`). What is loaded later is this path, not the one with links in it.
Result<std::filesystem::path> resolve_entry(const std::filesystem::path& root,
                                            std::string_view entry);

// Builds the plugin if its entry is source, loads it where its `isolation` says, compares its
// handlers with the tool's exports, and registers these. The error says which of it failed.
Result<void> add_native_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                             const std::stop_token& stop = {});

}  // namespace goondan
