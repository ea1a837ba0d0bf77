#include "host/mcp/mcp_tools.h"

namespace goondan {

Result<std::unique_ptr<McpTools>> McpTools::start(McpToolsOptions options, ToolRegistry&) {
  return Error{.code = ErrorCode::McpServer,
               .message = "the servers of '" + options.extension + "' cannot be started"};
}

}  // namespace goondan
