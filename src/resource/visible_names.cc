#include <map>
#include <set>
#include <string>

#include "resource/builtin_names.h"
#include "resource/cross_checks.h"

namespace goondan {
namespace {

using Tool = Located<ToolResource>;

std::optional<Place> export_name_place(const Tool& tool, std::size_t index) {
  const std::optional<Place> spec = tool.root.find("spec");
  const std::optional<Place> exports = spec ? spec->find("exports") : std::nullopt;
  if (!exports || exports->node->kind != yaml::NodeKind::Sequence) return std::nullopt;
  return exports->item(index).find("name");
}

const Tool* find_tool(const Reading& reading, std::string_view name) {
  for (const Tool& tool : reading.tools) {
    if (tool.resource.meta.name == name) return &tool;
  }
  return nullptr;
}

std::string shared_name(const std::string& visible, const std::string& first,
                        const std::string& second) {
  return "the tools " + in_backticks(first) + " and " + in_backticks(second) +
         " both have an export that models see as " + in_backticks(visible);
}

constexpr std::string_view kRename = "Rename one of the two exports.";

// The place of the agent's reference to the tool `name`.
Place reference_place(const Located<AgentResource>& agent, const std::string& name,
                      const Reading& reading) {
  for (const Reference& reference : reading.references) {
    const bool here = reference.place.document == agent.root.document;
    if (here && reference.expected == Kind::Tool && reference.ref.name == name) {
      return reference.place;
    }
  }
  return agent.root;
}

void check_agent(const Located<AgentResource>& agent, const Reading& reading,
                 std::set<std::string>& reported, Diagnostics& diagnostics) {
  std::map<std::string, std::string> owners;
  for (const ObjectRef& ref : agent.resource.tools) {
    const Tool* tool = find_tool(reading, ref.name);
    if (tool == nullptr) continue;
    for (const ToolExport& exported : tool->resource.exports) {
      const std::string visible = tool->resource.visible_name(exported);
      const auto [owner, added] = owners.try_emplace(visible, ref.name);
      if (added || owner->second == ref.name || exported.name.empty()) continue;
      reported.insert(visible);
      diagnostics.error(reference_place(agent, ref.name, reading).spot(),
                        ErrorCode::ConfigDuplicateName,
                        shared_name(visible, owner->second, ref.name), std::string(kRename));
    }
  }
}

// Tools of different agents may share names, but a program that registers all of them cannot.
// Without agents all tools stand together.
void check_bundle(const Reading& reading, const std::set<std::string>& reported,
                  Diagnostics& diagnostics) {
  std::map<std::string, std::string> owners;
  for (const Tool& tool : reading.tools) {
    const std::string& name = tool.resource.meta.name;
    for (std::size_t i = 0; i < tool.resource.exports.size(); ++i) {
      const ToolExport& exported = tool.resource.exports[i];
      const std::string visible = tool.resource.visible_name(exported);
      const auto [owner, added] = owners.try_emplace(visible, name);
      const std::optional<Place> place = export_name_place(tool, i);
      if (added || owner->second == name || exported.name.empty() || !place) continue;
      if (reported.contains(visible)) continue;
      const std::string message = shared_name(visible, owner->second, name);
      if (reading.agents.empty()) {
        diagnostics.error(place->spot(), ErrorCode::ConfigDuplicateName, message,
                          std::string(kRename));
      } else {
        diagnostics.warning(place->spot(), ErrorCode::ConfigDuplicateName, message,
                            std::string(kRename));
      }
    }
  }
}

void check_builtin(const Tool& tool, Diagnostics& diagnostics) {
  const std::string& name = tool.resource.meta.name;
  const std::optional<Place> metadata = tool.root.find("metadata");
  const std::optional<Place> place = metadata ? metadata->find("name") : std::nullopt;
  if (!is_builtin_tool(name) || !place) return;
  diagnostics.warning(place->spot(), ErrorCode::ConfigDuplicateName,
                      "this tool hides the built-in tool " + in_backticks(name),
                      "Rename it if the built-in one is meant to stay.");
}

}  // namespace

void check_visible_names(const Reading& reading, Diagnostics& diagnostics) {
  std::set<std::string> reported;
  for (const Tool& tool : reading.tools)
    check_builtin(tool, diagnostics);
  for (const auto& agent : reading.agents)
    check_agent(agent, reading, reported, diagnostics);
  check_bundle(reading, reported, diagnostics);
}

}  // namespace goondan
