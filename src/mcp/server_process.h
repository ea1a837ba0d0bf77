// The process of a server and the three ends that we hold of it.
#pragma once

#include "mcp/client.h"
#include "os/child.h"

namespace goondan::mcp {

// A resource: moved, not copied. Its end is in `stdio_transport.cc`; what is left then, the
// destructor of `child` ends.
struct ServerProcess {
  os::UniqueFd input;  // a socket, so that writing never raises a signal
  os::UniqueFd output;
  os::UniqueFd error;
  os::Child child;
};

// Fails with `E_MCP_SERVER`.
Result<ServerProcess> start_process(const Server& server);

}  // namespace goondan::mcp
