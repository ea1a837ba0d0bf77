// What it takes to start one configured MCP server, or to reach it.
#pragma once

#include <filesystem>

#include <goondan/resources.h>

#include "mcp/client.h"
#include "net/host_policy.h"

namespace goondan {

struct McpServerStart {
  mcp::Server server = {};
  net::HostPolicy hosts = {};  // those that were given, and the server's own
};

// What servers are made from, the same for all of one extension.
struct McpStartPlace {
  const std::filesystem::path& bundle_root;
  const ValueSource::Environment& environment;
  const net::HostPolicy& hosts;
};

// The program gets a minimal environment (`HOME`, `LANG`, `LC_*`, `PATH` ... but none of our
// secrets) and what the bundle declares; it starts in the bundle's folder unless told otherwise. A
// command with a slash is relative to the bundle. Fails with `E_CONFIG_VALUE_MISSING` or
// `E_CONFIG`, naming the server.
Result<McpServerStart> prepare_mcp_server(const McpServerResource& resource,
                                          const McpStartPlace& place);

}  // namespace goondan
