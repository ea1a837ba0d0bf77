// What became of the tools that a server announced: their names, cleaned descriptions, and which of
// them may be used.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "host/mcp/mcp_log.h"
#include "host/mcp/pins.h"
#include "mcp/client.h"

namespace goondan {

// Larger schemas are not shown to a model.
inline constexpr std::size_t kMaxMcpSchemaBytes = std::size_t{128} << 10;

struct McpOfferedTool {
  mcp::ToolInfo info = {};
  std::string visible = {};
  std::string description = {};  // cleaned and cut
  Json schema = nullptr;         // as the server wrote it, its descriptions cleaned
  std::string hash = {};         // of the definition
  std::string disabled = {};     // why it may not be used; empty: it may
};

// Tells whether the file of pins was replaced.
struct McpPinsStamp {
  ino_t file = 0;
  std::int64_t time = 0;

  static McpPinsStamp of(const std::filesystem::path& path);
  friend bool operator==(const McpPinsStamp&, const McpPinsStamp&) = default;
};

// Immutable once made.
struct McpListing {
  std::vector<std::shared_ptr<const McpOfferedTool>> tools = {};  // sorted by name
  std::vector<std::pair<std::string, std::string>> dropped = {};  // not usable at all, and why
  std::optional<Error> pins_problem = {};                         // then all tools are disabled
  McpPinsStamp stamp = {};                                        // what the judgement was based on
  enum class Waiting { None, ForApproval } waiting = Waiting::None;

  // Null if the server does not announce it.
  [[nodiscard]] const McpOfferedTool* find(std::string_view tool) const;
};

struct McpListingRules {
  McpPinScope scope = {};
  std::filesystem::path pins = {};  // empty: nothing is pinned
  std::optional<std::vector<std::string>> only_tools = {};
};

// Reads and changes the file of pins.
std::shared_ptr<const McpListing> make_mcp_listing(mcp::ToolList list, const McpListingRules& rules,
                                                   McpLog& log);

}  // namespace goondan
