// What a server says of one tool, in the form in which it is pinned.
#pragma once

#include <string>

#include <goondan/json.h>

#include "mcp/client.h"

namespace goondan {

// Longer parts are hashed whole but kept cut, so that the file of pins stays small.
inline constexpr std::size_t kMaxKeptDescription = 4096;
inline constexpr std::size_t kMaxKeptSchema = 8192;

// A value.
struct McpDefinition {
  std::string tool = {};
  // SHA-256 of everything about the tool that reaches a model or a person: name, title,
  // description, input schema, annotations. The order of keys does not count.
  std::string hash = {};
  JsonObject kept =
      {};  // the same, to be shown: `{title?, description, inputSchema, annotations?}`
};

McpDefinition define_mcp_tool(const mcp::ToolInfo& tool);

// In which fields the two differ, e.g. "description, inputSchema".
std::string changed_fields(const JsonObject& before, const JsonObject& after);

}  // namespace goondan
