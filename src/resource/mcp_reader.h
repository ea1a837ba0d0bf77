// The MCP servers of an extension: `spec.mcp.servers`.
#pragma once

#include <string_view>
#include <vector>

#include <goondan/resources.h>

#include "resource/place.h"
#include "resource/reading.h"

namespace goondan {

inline constexpr std::size_t kMaxMcpServers = 64;     // of one extension
inline constexpr std::size_t kMaxMcpServerName = 32;  // leaves room for the names of its tools

// Why a server may not have this name; empty if it may. Names of others are not looked at.
std::string mcp_name_problem(std::string_view name);

// The same for names that look alike: case, `-` and `_`, and signs that are easily taken for each
// other do not count.
std::string mcp_name_look(std::string_view name);

// Whether a variable or header of this name is likely to hold a secret.
bool names_a_secret(std::string_view name);

// `place` is `spec.mcp`.
std::vector<McpServerResource> read_mcp_servers(const Place& place, ReadContext& context);

// `env` or `headers`: texts and value sources. A text that is just `${NAME}` is the variable.
enum class McpValues { Env, Headers };
std::map<std::string, ValueSource> read_mcp_values(const Place& place, McpValues values,
                                                   ReadContext& context);

}  // namespace goondan
