#include "mcp/client.h"

namespace goondan::mcp {

Result<std::unique_ptr<Client>> Client::connect(const Server& server, ConnectOptions) {
  return Error{.code = ErrorCode::McpServer, .message = "no connection to '" + server.name + "'"};
}

}  // namespace goondan::mcp
