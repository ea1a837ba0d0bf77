#include "agent/extension_plan.h"

#include <algorithm>

#include "extension/extension.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kGuard = "required-tools-guard";

Result<PlannedExtension> plan_one(const Bundle& bundle, const AgentResource& agent,
                                  const ExtensionUse& use) {
  PlannedExtension planned{.name = use.ref.name};
  if (const ExtensionResource* own = bundle.find_extension(use.ref.name)) {
    planned.resource = *own;
    planned.config = own->config;
  } else if (find_builtin_extension(use.ref.name) == nullptr) {
    return Error{.code = ErrorCode::ConfigRefNotFound,
                 .message = "agent '" + agent.meta.name + "': there is no " + use.ref.text(),
                 .suggestion = "Declare the extension in the bundle."};
  }
  for (const auto& [key, value] : use.config)
    planned.config[key] = value;
  return planned;
}

PlannedExtension guard(const AgentResource& agent) {
  JsonArray names;
  for (const std::string& name : agent.required_tools)
    names.emplace_back(name);
  return {.name = std::string(kGuard), .config = {{"requiredTools", std::move(names)}}};
}

}  // namespace

Result<std::vector<PlannedExtension>> plan_extensions(const Bundle& bundle,
                                                      const AgentResource& agent) {
  std::vector<PlannedExtension> planned;
  for (const ExtensionUse& use : agent.extensions) {
    PlannedExtension one = GDN_TRY(plan_one(bundle, agent, use));
    // Two of one name would have one state. As with tools, they are one: the place of the first,
    // the config of the last.
    const auto known = std::ranges::find(planned, one.name, &PlannedExtension::name);
    if (known == planned.end()) {
      planned.push_back(std::move(one));
    } else {
      *known = std::move(one);
    }
  }
  const bool guarded =
      std::ranges::any_of(planned, [](const PlannedExtension& one) { return one.name == kGuard; });
  if (!agent.required_tools.empty() && !guarded) planned.push_back(guard(agent));
  return planned;
}

}  // namespace goondan::agent
