// A server that a command of `gdn mcp` talks to.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/resources.h>

#include "cli/mcp_commands.h"
#include "host/mcp/mcp_listing.h"
#include "mcp/client.h"

namespace goondan::cli {

inline constexpr std::chrono::milliseconds kMcpTimeout{60'000};

// Which server it is, before anything is started. A value.
struct McpTarget {
  McpServerResource resource = {};
  std::string extension = {};       // empty: the server is of no bundle
  std::string label = {};           // for messages: its name, its address, or its command
  std::filesystem::path root = {};  // the bundle's folder, or this one
  ValueSource::Environment environment = {};
  std::filesystem::path pins = {};  // empty: nothing is pinned
};

// All servers of the bundle. `E_CONFIG_FILE_NOT_FOUND` if there is no bundle.
Result<std::vector<McpTarget>> bundle_mcp_servers(const McpServerChoice& choice);

// The one that is meant. `E_USAGE` or `E_NOT_FOUND` with what might have been meant.
Result<McpTarget> choose_mcp_server(const McpServerChoice& choice);

// What a server may ask of us, as the options say.
Result<mcp::Services> mcp_services(const McpServerChoice& choice);

// Connected. Destroying it ends the server.
class McpSession {
 public:
  static Result<McpSession> open(McpTarget target, const McpServerChoice& choice,
                                 const std::stop_token& stop);

  [[nodiscard]] const McpTarget& target() const { return target_; }
  [[nodiscard]] mcp::Client& client() { return *client_; }
  [[nodiscard]] std::shared_ptr<mcp::Client> shared_client() const { return client_; }
  // Of one request, from now.
  [[nodiscard]] mcp::RequestOptions limits() const;

  // Its tools as an agent would see them. Looking counts as the first use: definitions that are
  // seen for the first time are pinned.
  Result<std::shared_ptr<const McpListing>> list_tools();

 private:
  McpSession() = default;

  McpTarget target_;
  std::shared_ptr<mcp::Client> client_;
  std::chrono::milliseconds timeout_ = kMcpTimeout;
  std::stop_token stop_;
};

// The tool of that name, original or as a model sees it. `E_NOT_FOUND` with what might have been
// meant.
Result<std::shared_ptr<const McpOfferedTool>> find_mcp_tool(const McpListing& listing,
                                                            const std::string& name,
                                                            const McpTarget& target);

}  // namespace goondan::cli
