// The built-in tools and extensions, which a bundle may refer to without declaring them. The test
// of the room that implements them keeps this list true.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace goondan {

inline constexpr std::array<std::string_view, 12> kBuiltinTools{
    "bash",         "file-system", "http-fetch", "json-query", "text-transform", "agents",
    "self-restart", "telegram",    "slack",      "handles",    "fileToolkit",    "swarmBundle"};

// The extensions that need no code in the bundle.
inline constexpr std::array<std::string_view, 9> kBuiltinExtensions{"logging",
                                                                    "message-window",
                                                                    "message-compaction",
                                                                    "tool-search",
                                                                    "context-message",
                                                                    "required-tools-guard",
                                                                    "loop-guard",
                                                                    "inter-agent-response-format",
                                                                    "oauth"};

// The package they belong to, for references that name it.
inline constexpr std::string_view kBuiltinPackage = "@goondan/base";

constexpr bool is_builtin_tool(std::string_view name) {
  return std::ranges::find(kBuiltinTools, name) != kBuiltinTools.end();
}

constexpr bool is_builtin_extension(std::string_view name) {
  return std::ranges::find(kBuiltinExtensions, name) != kBuiltinExtensions.end();
}

}  // namespace goondan
