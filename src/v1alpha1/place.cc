#include "v1alpha1/place.h"

#include <algorithm>

namespace goondan::v1alpha1 {
namespace {

template <class Resource>
const Resource* resource_named(const std::vector<Resource>& all, std::string_view name) {
  const auto found =
      std::ranges::find_if(all, [name](const Resource& one) { return one.meta.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <class Resource>
Json written(const Resource* resource) {
  return resource == nullptr ? Json(nullptr) : resource->meta.document;
}

Json tools_as_written(const Bundle& bundle, const AgentResource& agent) {
  JsonArray tools;
  for (const ObjectRef& ref : agent.tools) {
    if (const ToolResource* tool = bundle.find_tool(ref.name)) tools.push_back(written(tool));
  }
  return tools;
}

Json extensions_as_written(const Bundle& bundle, const AgentResource& agent) {
  JsonArray extensions;
  for (const ExtensionUse& use : agent.extensions) {
    if (const ExtensionResource* extension = bundle.find_extension(use.ref.name))
      extensions.push_back(written(extension));
  }
  return extensions;
}

Json effective_config(const Bundle& bundle, const SwarmResource* swarm,
                      const AgentResource* agent) {
  JsonObject config{{"swarm", written(swarm)},
                    {"agent", written(agent)},
                    {"model", nullptr},
                    {"tools", JsonArray()},
                    {"extensions", JsonArray()}};
  if (agent == nullptr) return config;
  if (agent->model) config["model"] = written(resource_named(bundle.models(), agent->model->name));
  config["tools"] = tools_as_written(bundle, *agent);
  config["extensions"] = extensions_as_written(bundle, *agent);
  return config;
}

}  // namespace

Json make_place(const PlaceInput& input) {
  const SwarmResource* const swarm = resource_named(input.bundle.swarms(), input.swarm_name);
  const AgentResource* const agent = input.bundle.find_agent(input.agent_name);
  return JsonObject{
      {"instance", JsonObject{{"id", input.instance_id}, {"key", input.instance_key}}},
      {"swarm", written(swarm)},
      {"agent", written(agent)},
      {"effectiveConfig", effective_config(input.bundle, swarm, agent)}};
}

bool uses_first_dialect(const Bundle& bundle, const AgentResource& agent) {
  const auto is_first = [](const auto* resource) {
    return resource != nullptr && resource->meta.dialect == Dialect::V1Alpha1;
  };
  return std::ranges::any_of(
             agent.tools,
             [&](const ObjectRef& ref) { return is_first(bundle.find_tool(ref.name)); }) ||
         std::ranges::any_of(agent.extensions, [&](const ExtensionUse& use) {
           return is_first(bundle.find_extension(use.ref.name));
         });
}

}  // namespace goondan::v1alpha1
