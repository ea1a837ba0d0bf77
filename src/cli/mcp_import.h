// The lists of MCP servers that other programs keep, as a resource of ours. Functions of their
// arguments.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/resources.h>
#include <goondan/result.h>

namespace goondan::cli {

struct McpImport {
  std::vector<McpServerResource> servers = {};
  std::vector<std::string> notes = {};  // what was changed, and what was left out and why
};

// JSON with comments and commas before closing brackets, as people have in their files.
Result<Json> parse_tolerant_json(std::string_view text);

// The servers in `mcpServers`, `servers`, `mcp.servers`, `mcp` or `context_servers` of the
// document. Names that are not allowed or in `taken` are changed, secrets are replaced by
// variables, what cannot be taken over is noted. `E_NOT_FOUND` if there is no list of servers.
Result<McpImport> import_mcp_servers(const Json& document, std::set<std::string> taken = {});

// The document `kind: Extension` with these servers.
std::string mcp_extension_yaml(const std::string& name,
                               const std::vector<McpServerResource>& servers);

}  // namespace goondan::cli
