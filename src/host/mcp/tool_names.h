// The names under which a model sees the tools of an MCP server.
//
// A tool is `<server>__<tool>`. Servers may use characters and lengths that model providers refuse;
// such names are made acceptable and end in some digits of a hash of the original, so that two
// tools never share one. The same set of tools always gives the same names, in whatever order it
// comes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace goondan {

inline constexpr std::size_t kMaxMcpToolName = 64;

// A value: the way there and back for one server.
class McpToolNames {
 public:
  McpToolNames() = default;
  McpToolNames(std::string_view server, std::span<const std::string> tools);

  // Empty if there is no such tool.
  [[nodiscard]] std::string visible(std::string_view tool) const;
  [[nodiscard]] std::string original(std::string_view visible) const;

 private:
  std::map<std::string, std::string, std::less<>> outward_;
  std::map<std::string, std::string, std::less<>> inward_;
};

}  // namespace goondan
