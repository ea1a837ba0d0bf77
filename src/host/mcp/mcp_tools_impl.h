// `McpTools` with the way to connect left open, for tests.
#pragma once

#include "host/mcp/mcp_server.h"
#include "host/mcp/mcp_tools.h"

namespace goondan {

Result<std::unique_ptr<McpTools>> start_mcp_tools(McpToolsOptions options, ToolRegistry& registry,
                                                  const McpConnect& connect);

}  // namespace goondan
