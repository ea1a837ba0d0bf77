// The built-in tools, which a bundle may refer to without declaring them. The test of the room
// that implements them keeps this list true.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace goondan {

inline constexpr std::array<std::string_view, 10> kBuiltinTools{
    "bash",   "file-system",  "http-fetch", "json-query", "text-transform",
    "agents", "self-restart", "telegram",   "slack",      "handles"};

// The package they belong to, for references that name it.
inline constexpr std::string_view kBuiltinPackage = "@goondan/base";

constexpr bool is_builtin_tool(std::string_view name) {
  return std::ranges::find(kBuiltinTools, name) != kBuiltinTools.end();
}

}  // namespace goondan
