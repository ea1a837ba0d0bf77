// The file that remembers which definitions of MCP tools were accepted. Shared by all agent
// processes of a workspace.
//
// JSON, only for its owner (0600), replaced whole; whoever changes it holds a lock on the file
// `<name>.lock` beside it. A file that cannot be understood is never overwritten.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

inline constexpr std::size_t kMaxPinsBytes = std::size_t{64} << 20;

// Which tool; bundle is the canonical path of its folder.
struct McpPinKey {
  std::string bundle = {};
  std::string extension = {};
  std::string server = {};
  std::string tool = {};

  friend auto operator<=>(const McpPinKey&, const McpPinKey&) = default;
};

struct McpPin {
  struct Version {
    std::string hash = {};
    JsonObject definition = {};
    std::string time = {};  // when it was accepted or first seen
  };
  std::optional<Version> accepted = {};
  std::optional<Version> offered = {};  // what the server says now, and nobody has accepted
};

using McpPins = std::map<McpPinKey, McpPin>;

// No file: no pins. Fails with `E_STORE_CORRUPT` or `E_STORE_VERSION`, saying what to do, or with
// `E_IO`.
Result<McpPins> read_mcp_pins(const std::filesystem::path& path);

// Reads, changes and writes under the lock. `change` says whether there is anything to write. Fails
// like `read_mcp_pins`, with `E_STORE_BUSY` if others hold the lock for too long, with `E_LIMIT` if
// the file would grow beyond `kMaxPinsBytes`.
Result<void> change_mcp_pins(const std::filesystem::path& path,
                             const std::function<bool(McpPins&)>& change);

}  // namespace goondan
