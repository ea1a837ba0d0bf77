// The tools of MCP servers as tools of an agent.
//
// Each server is connected to in the background. Its tools are in the registry as
// `<server>__<tool>` with the source `{type: mcp}`; they come and go as the server says, but only
// in `before_step`. What a server says of its tools is not believed: definitions are pinned, texts
// cleaned and cut, names of others refused. A server that ends is started again with growing
// pauses; calls fail with `E_MCP_SERVER` until then.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/registry.h>

#include "mcp/client.h"
#include "net/host_policy.h"

namespace goondan {

struct McpToolsOptions {
  std::string extension = {};  // its name
  std::vector<McpServerResource> servers = {};
  std::filesystem::path bundle_root = {};
  std::filesystem::path pins =
      {};  // the file with the pinned definitions; empty: nothing is pinned
  ValueSource::Environment environment = {};  // for `valueFrom`, and what servers inherit
  net::HostPolicy hosts = {};
  std::string workdir = {};  // what binary results are written to
  std::function<void(LogLevel, std::string_view)> log = {};
};

// What became of one server.
struct McpServerState {
  std::string name = {};
  enum class Status { Connecting, Connected, Failed } status = Status::Connecting;
  std::string problem = {};  // why it failed
  mcp::ServerInfo info = {};
  std::vector<std::string> tools = {};                             // registered names
  std::vector<std::pair<std::string, std::string>> disabled = {};  // tool and why
};

// Thread-safe. Destroying it ends all servers.
class McpTools {
 public:
  // Begins to connect. Fails only for what the configuration can be blamed for (`E_CONFIG_*`).
  static Result<std::unique_ptr<McpTools>> start(McpToolsOptions options, ToolRegistry& registry);
  virtual ~McpTools() = default;

  // Waits until every server is connected or has failed, the first time, but not past `deadline`; a
  // server that is required is waited for as long as it may take to come up. Applies what servers
  // have said of their tools since. Fails only if a server that is required is not there.
  virtual Result<void> before_step(Deadline deadline, const std::stop_token& stop) = 0;

  [[nodiscard]] virtual std::vector<McpServerState> state() const = 0;
};

}  // namespace goondan
