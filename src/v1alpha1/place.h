// What code of the first dialect is told of the agent it belongs to; the same for the agent's life.
#pragma once

#include <string_view>

#include <goondan/bundle.h>
#include <goondan/json.h>

namespace goondan::v1alpha1 {

// Borrowed for the length of the call.
struct PlaceInput {
  const Bundle& bundle;
  std::string_view swarm_name;
  std::string_view agent_name;
  std::string_view instance_id;
  std::string_view instance_key;
};

// `{instance {id, key}, swarm, agent, effectiveConfig {swarm, agent, model, tools, extensions}}`:
// resources as they are written, null for what the bundle does not have.
Json make_place(const PlaceInput& input);

// Whether the agent has a tool or an extension of the first dialect: it then needs a script host
// that runs on Node, surroundings in each step, and a place.
bool uses_first_dialect(const Bundle& bundle, const AgentResource& agent);

}  // namespace goondan::v1alpha1
