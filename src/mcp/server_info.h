// What a server says of itself when it is greeted.
#pragma once

#include "mcp/client.h"

namespace goondan::mcp {

// Longer instructions are cut to this many code points.
inline constexpr std::size_t kMaxInstructions = 20'000;

// From a `DiscoverResult`; the version is ours.
ServerInfo discovered(const JsonObject& result);
// From an `InitializeResult`.
ServerInfo initialized(const JsonObject& result);

}  // namespace goondan::mcp
