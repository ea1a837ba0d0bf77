#include "mcp/http_transport.h"

namespace goondan::mcp {

Result<std::unique_ptr<Transport>> open_http(const Server& server, const net::HostPolicy&,
                                             OnMessage,
                                             std::function<void(LogLevel, std::string_view)>) {
  return Error{.code = ErrorCode::McpServer, .message = "cannot reach '" + server.name + "'"};
}

}  // namespace goondan::mcp
