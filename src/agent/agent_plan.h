// Everything that all instances of one agent have in common, worked out once by the zygote and
// shared by the processes that are forked from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/catalog.h>

#include "agent/extension_plan.h"
#include "changeset/changesets.h"
#include "model/model.h"

namespace goondan::agent {

// The built-in tool whose exports are offered whenever they are of use, declared or not.
inline constexpr std::string_view kHandlesTool = "handles";

// Immutable after it has been made, but for the redactor, which learns; thread-safe.
struct AgentPlan {
  Bundle bundle;
  AgentResource agent;
  Policy policy = {};              // the swarm's, narrowed by the agent's; paths are absolute
  std::string system_prompt = {};  // empty: none
  std::shared_ptr<Model> model = {};
  std::shared_ptr<Redactor> redactor = {};
  ToolCatalog declared = {};
  ToolCatalog handle_tools = {};
  std::vector<std::string> builtin_tools = {};  // names of the tools to load
  std::vector<std::string> bundle_tools = {};
  std::vector<PlannedExtension> extensions = {};
  // For MCP servers and OAuth applications; empty without them.
  ValueSource::Environment environment = {};
  changeset::Policy changesets = {};
  std::string swarm_name = {};
  std::string entry_agent = {};
  std::vector<std::string> available_agents = {};  // sorted
  std::size_t max_steps = kDefaultMaxStepsPerTurn;
  std::string fingerprint = {};  // changes with whatever changes what the agent does
};

// Fails with what keeps the agent from running: no model, an unknown provider, a key that is not
// set, a prompt that cannot be read, a required tool that it does not have.
Result<std::shared_ptr<const AgentPlan>> make_agent_plan(const Bundle& bundle,
                                                         const SwarmResource& swarm,
                                                         const AgentResource& agent,
                                                         const ModelServices& services);

}  // namespace goondan::agent
