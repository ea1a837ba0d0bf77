#include "agent/agent_plan.h"

#include <algorithm>

#include "agent/fingerprint.h"
#include "base/json_fields.h"
#include "base/white_space.h"
#include "builtin/load.h"
#include "policy/narrow.h"
#include "resource/file_read.h"
#include "resource/limits.h"
#include "tool/declared.h"

namespace goondan::agent {
namespace {

Result<const ModelResource*> model_of(const Bundle& bundle, const AgentResource& agent) {
  if (!agent.model) {
    return Error{.code = ErrorCode::ModelConfig,
                 .message = "agent '" + agent.meta.name + "' names no model",
                 .suggestion = "Write `modelConfig: {modelRef: Model/<name>}`."};
  }
  const auto named = [](const ModelResource& model) -> const std::string& {
    return model.meta.name;
  };
  const auto found = std::ranges::find(bundle.models(), agent.model->name, named);
  if (found != bundle.models().end()) return &*found;
  return Error{.code = ErrorCode::ConfigRefNotFound,
               .message = "agent '" + agent.meta.name + "': there is no " + agent.model->text(),
               .suggestion = "Declare the model in the bundle."};
}

// A text without anything but white space is no prompt.
Result<std::string> prompt_of(const Bundle& bundle, const AgentResource& agent) {
  std::string text = agent.system_prompt.value_or("");
  if (agent.system_ref) {
    Result<std::string> read = read_regular_file(bundle.root() / *agent.system_ref, kMaxFileBytes);
    if (!read.ok()) {
      Error error = read.error();
      error.message = "the prompt '" + *agent.system_ref + "' of agent '" + agent.meta.name +
                      "': " + error.message;
      return error;
    }
    text = *std::move(read);
  }
  return unicode::trim_start(text).empty() ? std::string() : text;
}

Policy with_absolute_roots(const Bundle& bundle, Policy policy) {
  for (Policy::FileRoot& root : policy.file_roots)
    root.path = (bundle.root() / root.path).lexically_normal().string();
  return policy;
}

// Whether the agent writes `section: {list: []}`: nothing at all, rather than what the swarm has.
bool says_none(const AgentResource& agent, std::string_view section, std::string_view list) {
  const JsonObject* spec = object_field(object_or_empty(agent.meta.document), "spec");
  const JsonObject* policy = spec == nullptr ? nullptr : object_field(*spec, "policy");
  const JsonObject* part = policy == nullptr ? nullptr : object_field(*policy, section);
  const JsonArray* items = part == nullptr ? nullptr : array_field(*part, list);
  return items != nullptr && items->empty();
}

Policy policy_of(const Bundle& bundle, const SwarmResource& swarm, const AgentResource& agent) {
  Policy policy = narrowed(with_absolute_roots(bundle, swarm.policy),
                           with_absolute_roots(bundle, agent.policy));
  if (says_none(agent, "http", "allow")) policy.http_allow.clear();
  if (says_none(agent, "files", "roots")) policy.file_roots.clear();
  if (says_none(agent, "env", "pass")) policy.env_pass.clear();
  return policy;
}

const ToolResource* builtin_tool(std::string_view name) {
  const auto named = [](const ToolResource& tool) -> const std::string& { return tool.meta.name; };
  const auto found = std::ranges::find(builtin_tools(), name, named);
  return found == builtin_tools().end() ? nullptr : &*found;
}

// Code of the bundle and servers may bring tools that nobody knows of yet.
bool may_bring_tools(const PlannedExtension& extension) {
  return extension.resource.has_value();
}

Result<void> check_required_tools(const AgentPlan& plan) {
  if (std::ranges::any_of(plan.extensions, may_bring_tools)) return {};
  for (const std::string& name : plan.agent.required_tools) {
    if (plan.declared.contains(name)) continue;
    const std::string near = plan.declared.nearest_name(name);
    return Error{.code = ErrorCode::ConfigRefNotFound,
                 .message = "agent '" + plan.agent.meta.name + "' requires the tool '" + name +
                            "', which none of its tools exports",
                 .suggestion = near.empty() ? "Add the tool to `spec.tools`."
                                            : "Did you mean '" + near + "'?"};
  }
  return {};
}

// A tool of the bundle hides the built-in one of the same name.
Result<void> plan_tools(AgentPlan& plan) {
  for (const ObjectRef& ref : plan.agent.tools) {
    const bool own = plan.bundle.find_tool(ref.name) != nullptr;
    (own ? plan.bundle_tools : plan.builtin_tools).push_back(ref.name);
  }
  plan.declared = GDN_TRY(declared_catalog(plan.bundle, plan.agent, builtin_tools()));
  const ToolResource* handles = builtin_tool(kHandlesTool);
  if (handles != nullptr && plan.bundle.find_tool(kHandlesTool) == nullptr) {
    plan.handle_tools = GDN_TRY(declared_catalog(std::span(handles, 1)));
    if (std::ranges::find(plan.builtin_tools, kHandlesTool) == plan.builtin_tools.end())
      plan.builtin_tools.emplace_back(kHandlesTool);
  }
  return check_required_tools(plan);
}

void plan_surroundings(AgentPlan& plan, const SwarmResource& swarm, const ModelServices& services) {
  plan.swarm_name = swarm.meta.name;
  plan.entry_agent = swarm.entry_agent.name;
  for (const ObjectRef& ref : swarm.agents)
    plan.available_agents.push_back(ref.name);
  std::ranges::sort(plan.available_agents);
  const auto duplicates = std::ranges::unique(plan.available_agents);
  plan.available_agents.erase(duplicates.begin(), duplicates.end());
  const auto has_servers = [](const PlannedExtension& one) {
    return one.resource && !one.resource->mcp_servers.empty();
  };
  if (std::ranges::any_of(plan.extensions, has_servers) || !plan.bundle.oauth_apps().empty())
    plan.environment = services.environment;
}

// The swarm's list is the most, the agent's narrows it; either may switch changes off.
changeset::Policy changesets_of(const SwarmResource& swarm, const AgentResource& agent) {
  changeset::Policy policy;
  if (swarm.policy.changesets) {
    policy.enabled = swarm.policy.changesets->enabled;
    policy.swarm_files = swarm.policy.changesets->allowed_files;
  }
  if (agent.policy.changesets) {
    policy.enabled = policy.enabled && agent.policy.changesets->enabled;
    policy.agent_files = agent.policy.changesets->allowed_files;
  }
  return policy;
}

}  // namespace

Result<std::shared_ptr<const AgentPlan>> make_agent_plan(const Bundle& bundle,
                                                         const SwarmResource& swarm,
                                                         const AgentResource& agent,
                                                         const ModelServices& services) {
  const ModelResource* model = GDN_TRY(model_of(bundle, agent));
  auto plan = std::make_shared<AgentPlan>(AgentPlan{.bundle = bundle, .agent = agent});
  plan->policy = policy_of(bundle, swarm, agent);
  plan->system_prompt = GDN_TRY(prompt_of(bundle, agent));
  plan->model = GDN_TRY(make_model(*model, services));
  plan->redactor = services.redactor;
  plan->max_steps = swarm.max_steps_per_turn;
  plan->extensions = GDN_TRY(plan_extensions(bundle, agent));
  plan_surroundings(*plan, swarm, services);
  plan->changesets = changesets_of(swarm, agent);
  GDN_TRY(plan_tools(*plan));
  plan->fingerprint = fingerprint({.bundle = bundle,
                                   .swarm = swarm,
                                   .agent = agent,
                                   .model = *model,
                                   .prompt = plan->system_prompt});
  return std::shared_ptr<const AgentPlan>(std::move(plan));
}

}  // namespace goondan::agent
