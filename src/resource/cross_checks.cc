#include "resource/cross_checks.h"

#include <algorithm>
#include <string>

#include "base/nearest.h"
#include "resource/builtin_names.h"

namespace goondan {
namespace {

bool contains(const std::vector<ObjectRef>& refs, std::string_view name) {
  return std::ranges::find(refs, name, &ObjectRef::name) != refs.end();
}

std::optional<Place> find_path(const Place& root, std::initializer_list<std::string_view> keys) {
  std::optional<Place> place = root;
  for (const std::string_view key : keys) {
    place = place->find(key);
    if (!place) return std::nullopt;
  }
  return place;
}

void check_entry_agent(const Located<SwarmResource>& swarm, const Reading& reading,
                       Diagnostics& diagnostics) {
  const ObjectRef& entry = swarm.resource.entry_agent;
  if (swarm.resource.agents.empty()) return;
  if (!reading.declarations.contains(Kind::Agent, entry.name)) return;
  if (contains(swarm.resource.agents, entry.name)) return;
  std::optional<Place> place = find_path(swarm.root, {"spec", "entryAgent"});
  if (!place) place = find_path(swarm.root, {"spec", "entrypoint"});
  diagnostics.error(
      (place ? *place : swarm.root).spot(), ErrorCode::ConfigSchemaInvalid,
      "the entry agent " + in_backticks(entry.name) + " is not among the swarm's `agents`",
      "Add `- ref: " + entry.text() + "` to `agents`.");
}

const SwarmResource* swarm_of(const ConnectionResource& connection, const Reading& reading) {
  if (!connection.swarm) {
    return reading.swarms.size() == 1 ? &reading.swarms.front().resource : nullptr;
  }
  for (const auto& swarm : reading.swarms) {
    if (swarm.resource.meta.name == connection.swarm->name) return &swarm.resource;
  }
  return nullptr;
}

void check_routes(const Located<ConnectionResource>& connection, const Reading& reading,
                  Diagnostics& diagnostics) {
  const SwarmResource* swarm = swarm_of(connection.resource, reading);
  if (swarm == nullptr) return;
  for (std::size_t i = 0; i < connection.resource.rules.size(); ++i) {
    const std::optional<ObjectRef>& agent = connection.resource.rules[i].agent;
    if (!agent || contains(swarm->agents, agent->name)) continue;
    const std::optional<Place> rules = find_path(connection.root, {"spec", "ingress", "rules"});
    const std::optional<Place> place =
        rules ? find_path(rules->item(i), {"route", "agentRef"}) : std::nullopt;
    diagnostics.error((place ? *place : connection.root).spot(), ErrorCode::ConfigSchemaInvalid,
                      "the agent " + in_backticks(agent->name) + " is not in the swarm " +
                          in_backticks(swarm->meta.name),
                      "Add it to the swarm's `agents`, or route to one that is there.");
  }
}

// The names that an agent's own tools have for models. `complete` is false where built-in tools
// or extensions add names that the bundle does not say.
struct AgentNames {
  std::vector<std::string> names = {};
  bool complete = true;
};

AgentNames names_of(const AgentResource& agent, const Reading& reading) {
  AgentNames result{.complete = agent.extensions.empty()};
  for (const ObjectRef& ref : agent.tools) {
    if (!result.complete) break;
    const auto tool = std::ranges::find_if(reading.tools, [&](const auto& candidate) {
      return candidate.resource.meta.name == ref.name;
    });
    if (tool == reading.tools.end()) {
      result.complete = false;
      continue;
    }
    for (const ToolExport& exported : tool->resource.exports) {
      result.names.push_back(tool->resource.visible_name(exported));
    }
  }
  return result;
}

void check_required(const Located<AgentResource>& agent, const Reading& reading,
                    Diagnostics& diagnostics) {
  const std::optional<Place> list = find_path(agent.root, {"spec", "requiredTools"});
  if (!list || list->node->kind != yaml::NodeKind::Sequence) return;
  const AgentNames known = names_of(agent.resource, reading);
  if (!known.complete) return;
  const std::vector<std::string_view> names(known.names.begin(), known.names.end());
  for (std::size_t i = 0; i < list->node->children.size(); ++i) {
    const Place item = list->item(i);
    const std::string& name = item.node->text;
    if (!item.node->is_text() || std::ranges::find(names, name) != names.end()) continue;
    if (diagnostics.full(Severity::Error)) return;
    const std::string_view like = nearest(name, names);
    diagnostics.error(
        item.spot(), ErrorCode::ConfigRefNotFound,
        "the required tool " + in_backticks(name) + " is not among the agent's tools",
        like.empty() ? "Add its tool to `tools`." : "Did you mean " + in_backticks(like) + "?");
  }
}

}  // namespace

void check_packages(const Reading& reading, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < reading.packages.size(); ++i) {
    const Place& root = reading.packages[i].root;
    const std::optional<Place> kind = root.find("kind");
    const Spot spot = (kind ? *kind : root).spot();
    if (i > 0) {
      diagnostics.error(spot, ErrorCode::ConfigPackageDocDuplicated,
                        "the bundle already has a Package", "Remove one of the two.");
    } else if (root.document->index > 0) {
      diagnostics.error(spot, ErrorCode::ConfigPackageDocPosition,
                        "a Package must be the first document of its file",
                        "Move it to the top of the file.");
    }
  }
}

void check_membership(const Reading& reading, Diagnostics& diagnostics) {
  for (const auto& swarm : reading.swarms)
    check_entry_agent(swarm, reading, diagnostics);
  for (const auto& connection : reading.connections) {
    check_routes(connection, reading, diagnostics);
  }
}

void check_required_tools(const Reading& reading, Diagnostics& diagnostics) {
  for (const auto& agent : reading.agents)
    check_required(agent, reading, diagnostics);
}

}  // namespace goondan
