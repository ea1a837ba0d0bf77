#include "mcp/stdio_transport.h"

namespace goondan::mcp {

Result<std::unique_ptr<Transport>> start_stdio(const Server& server, OnMessage,
                                               std::function<void(LogLevel, std::string_view)>) {
  return Error{.code = ErrorCode::McpServer, .message = "cannot start '" + server.name + "'"};
}

}  // namespace goondan::mcp
