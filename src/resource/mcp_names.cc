// The names of MCP servers beside those of everything else in the bundle.
#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "resource/builtin_names.h"
#include "resource/cross_checks.h"
#include "resource/mcp_reader.h"

namespace goondan {

std::string mcp_name_look(std::string_view name) {
  std::string look;
  for (const char c : name) {
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (small == '-' || small == '_') continue;
    look += small == '0' ? 'o' : (small == '1' || small == 'i') ? 'l' : small;
  }
  return look;
}

namespace {

std::optional<Place> servers_of(const Located<ExtensionResource>& extension) {
  const std::optional<Place> spec = extension.root.find("spec");
  const std::optional<Place> mcp = spec ? spec->find("mcp") : std::nullopt;
  return mcp ? mcp->find("servers") : std::nullopt;
}

// By their looks: who has a name already, in words.
using Taken = std::map<std::string, std::string>;

Taken names_of_tools(const Reading& reading) {
  Taken taken;
  for (const std::string_view name : kBuiltinTools)
    taken.emplace(mcp_name_look(name), "the built-in tool " + in_backticks(name));
  for (const auto& tool : reading.tools) {
    const std::string& name = tool.resource.meta.name;
    taken.emplace(mcp_name_look(name), "the tool " + in_backticks(name));
  }
  return taken;
}

}  // namespace

void check_mcp_names(const Reading& reading, Diagnostics& diagnostics) {
  Taken taken = names_of_tools(reading);
  for (const auto& extension : reading.extensions) {
    const std::optional<Place> servers = servers_of(extension);
    for (const McpServerResource& server : extension.resource.mcp_servers) {
      const std::optional<Place> place = servers ? servers->find(server.name) : std::nullopt;
      const auto [other, added] =
          taken.emplace(mcp_name_look(server.name), "the MCP server " + in_backticks(server.name));
      if (added || !place) continue;
      diagnostics.error(place->key_spot(), ErrorCode::ConfigDuplicateName,
                        "the name of the MCP server " + in_backticks(server.name) +
                            " is, or looks like, that of " + other->second,
                        "Choose a name that nobody can confuse with it.");
    }
  }
}

}  // namespace goondan
