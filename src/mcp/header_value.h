// How a text travels in a header of the protocol (`Mcp-Name`, `Mcp-Param-*`).
#pragma once

#include <string>
#include <string_view>

namespace goondan::mcp {

// `text` itself where a header can carry it and nobody can take it for the other form; otherwise
// `=?base64?...?=`. A server that knows the rule reads back exactly `text`.
[[nodiscard]] std::string header_value(std::string_view text);

}  // namespace goondan::mcp
