#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "resource/builtin_names.h"
#include "resource/cross_checks.h"

namespace goondan {
namespace {

using Tool = Located<ToolResource>;

// An export by its tool and its place there.
struct ExportOf {
  const Tool* tool;
  std::size_t index;
};

// The names that more than one tool gives to its exports, in order, and those of each tool.
struct Conflicts {
  std::vector<std::pair<std::string, std::vector<ExportOf>>> names;
  std::map<std::string_view, std::vector<std::string_view>> of_tool;
};

Conflicts find_conflicts(const Reading& reading) {
  std::map<std::string, std::vector<ExportOf>> owners;
  for (const Tool& tool : reading.tools) {
    for (std::size_t i = 0; i < tool.resource.exports.size(); ++i) {
      const ToolExport& exported = tool.resource.exports[i];
      if (exported.name.empty()) continue;
      std::vector<ExportOf>& places = owners[tool.resource.visible_name(exported)];
      const bool own = !places.empty() && places.back().tool == &tool;
      if (!own) places.push_back({.tool = &tool, .index = i});
    }
  }
  Conflicts conflicts;
  for (auto& [name, places] : owners) {
    if (places.size() > 1) conflicts.names.emplace_back(name, std::move(places));
  }
  for (const auto& [name, places] : conflicts.names) {
    for (const ExportOf& place : places) {
      conflicts.of_tool[place.tool->resource.meta.name].push_back(name);
    }
  }
  return conflicts;
}

std::string shared_name(std::string_view visible, std::string_view first, std::string_view second) {
  return "the tools " + in_backticks(first) + " and " + in_backticks(second) +
         " both have an export that models see as " + in_backticks(visible);
}

constexpr std::string_view kRename = "Rename one of the two exports.";

// The place of the agent's reference to the tool `name`.
Place reference_place(const Located<AgentResource>& agent, std::string_view name,
                      const Reading& reading) {
  const auto found = std::ranges::find_if(reading.references, [&](const Reference& reference) {
    return reference.place.document == agent.root.document && reference.expected == Kind::Tool &&
           reference.ref.name == name;
  });
  return found == reading.references.end() ? agent.root : found->place;
}

void check_agent(const Located<AgentResource>& agent, const Reading& reading,
                 const Conflicts& conflicts, std::set<std::string_view>& reported,
                 Diagnostics& diagnostics) {
  std::map<std::string_view, std::string_view> owners;
  for (const ObjectRef& ref : agent.resource.tools) {
    const auto shared = conflicts.of_tool.find(ref.name);
    if (shared == conflicts.of_tool.end()) continue;
    for (const std::string_view visible : shared->second) {
      const auto [owner, added] = owners.try_emplace(visible, ref.name);
      if (added || owner->second == ref.name) continue;
      if (diagnostics.full(Severity::Error)) return;
      reported.insert(visible);
      diagnostics.error(reference_place(agent, ref.name, reading).spot(),
                        ErrorCode::ConfigDuplicateName,
                        shared_name(visible, owner->second, ref.name), std::string(kRename));
    }
  }
}

std::optional<Place> name_place(const ExportOf& exported) {
  const std::optional<Place> spec = exported.tool->root.find("spec");
  const std::optional<Place> exports = spec ? spec->find("exports") : std::nullopt;
  return exports ? exports->item(exported.index).find("name") : std::nullopt;
}

void report_conflict(const std::string& visible, const std::vector<ExportOf>& places,
                     Severity severity, Diagnostics& diagnostics) {
  const std::string& first = places.front().tool->resource.meta.name;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const std::string& second = places[i].tool->resource.meta.name;
    const std::optional<Place> place = name_place(places[i]);
    if (!place || first == second) continue;
    std::string message = shared_name(visible, first, second);
    if (severity == Severity::Error) {
      diagnostics.error(place->spot(), ErrorCode::ConfigDuplicateName, std::move(message),
                        std::string(kRename));
    } else {
      diagnostics.warning(place->spot(), ErrorCode::ConfigDuplicateName, std::move(message),
                          std::string(kRename));
    }
  }
}

void check_builtin(const Tool& tool, Diagnostics& diagnostics) {
  const std::string& name = tool.resource.meta.name;
  const std::optional<Place> metadata = tool.root.find("metadata");
  const std::optional<Place> place = metadata ? metadata->find("name") : std::nullopt;
  // The first specification shows these two as code of a bundle.
  const bool of_the_seed = name == "fileToolkit" || name == "swarmBundle";
  if (!is_builtin_tool(name) || of_the_seed || !place) return;
  diagnostics.warning(place->spot(), ErrorCode::ConfigDuplicateName,
                      "this tool hides the built-in tool " + in_backticks(name),
                      "Rename it if the built-in one is meant to stay.");
}

}  // namespace

void check_visible_names(const Reading& reading, Diagnostics& diagnostics) {
  for (const Tool& tool : reading.tools)
    check_builtin(tool, diagnostics);
  const Conflicts conflicts = find_conflicts(reading);
  std::set<std::string_view> reported;
  for (const auto& agent : reading.agents)
    check_agent(agent, reading, conflicts, reported, diagnostics);
  // Tools of different agents may share names, though a program that registers all of them could
  // not; without agents all tools stand together.
  for (const auto& [visible, places] : conflicts.names) {
    if (reported.contains(visible)) continue;
    const Severity severity = reading.agents.empty() ? Severity::Error : Severity::Warning;
    report_conflict(visible, places, severity, diagnostics);
  }
}

}  // namespace goondan
