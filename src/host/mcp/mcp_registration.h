// The tools of one server in the registry.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/registry.h>

#include "host/mcp/mcp_server.h"

namespace goondan {

// Thread-compatible. Borrows the registry.
class McpRegistration {
 public:
  McpRegistration(std::shared_ptr<McpServer> server, std::string extension, ToolRegistry& registry);

  [[nodiscard]] McpServer& server() const { return *server_; }

  // Takes out what is gone or disabled, puts in what is new; leaves alone what has not changed. A
  // name that another owner has is never taken.
  void apply(const McpServer::View& view);

  [[nodiscard]] std::vector<std::string> names() const;
  // Tools that are not registered, and why.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& disabled() const {
    return disabled_;
  }

 private:
  void take_out_all_but(const std::set<std::string_view>& wanted);
  void put_in(const std::shared_ptr<const McpOfferedTool>& tool);

  std::shared_ptr<McpServer> server_;
  ToolSource source_;
  ToolRegistry& registry_;
  std::uint64_t applied_ = 0;
  std::map<std::string, std::string> registered_;  // visible name -> hash of the definition
  std::vector<std::pair<std::string, std::string>> disabled_;
};

}  // namespace goondan
