// A server as a child process: one JSON-RPC message a line on its standard input and output.
#pragma once

#include <memory>

#include "mcp/client.h"

namespace goondan::mcp {

// Starts the program, supervised: it ends with everything it started when the transport goes or
// this process dies. `E_MCP_SERVER` if there is no such program.
Result<std::unique_ptr<Transport>> start_stdio(const Server& server, OnMessage on_message,
                                               std::function<void(LogLevel, std::string_view)> log);

}  // namespace goondan::mcp
