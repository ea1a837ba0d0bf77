// Reading `tools/list`: all pages, and each definition on its own, so that one bad tool does not
// take the others with it.
#pragma once

#include <functional>

#include "mcp/client.h"

namespace goondan::mcp {

inline constexpr std::size_t kMaxToolNameBytes = 256;
inline constexpr std::size_t kMaxToolBytes = std::size_t{256} << 10;     // of one definition
inline constexpr std::size_t kMaxToolListBytes = std::size_t{64} << 20;  // of all

// Whether the arguments of a call are mirrored to HTTP headers; then a tool that asks for headers
// that cannot be is not usable.
enum class MirrorArguments { No, Yes };

// One definition. The message of the error says why it is not usable.
Result<ToolInfo> read_tool(const Json& definition, MirrorArguments mirror);

// Asks for one page: `params` -> the `result` of `tools/list`.
using AskPage = std::function<Result<JsonObject>(JsonObject params)>;

// Names may come twice. Fails as `ask` does; with `E_MCP` for what is no page, a cursor that comes
// again or too many pages, with `E_LIMIT` for too many tools.
Result<ToolList> read_tools(const AskPage& ask, MirrorArguments mirror);

}  // namespace goondan::mcp
