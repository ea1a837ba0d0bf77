// Calling one tool of an MCP server.
#pragma once

#include <memory>

#include <goondan/tool.h>

#include "host/mcp/mcp_server.h"

namespace goondan {

// The handler of `tool`. Keeps the call's deadline and stop by itself; holds the server, and fails
// with `E_MCP_SERVER` once that is shut down. Fails also with `E_MCP_TOOL_CHANGED`, `E_MCP_TOOL`
// (what the tool says), `E_MCP`.
ToolHandler mcp_tool_handler(std::shared_ptr<McpServer> server,
                             std::shared_ptr<const McpOfferedTool> tool);

}  // namespace goondan
