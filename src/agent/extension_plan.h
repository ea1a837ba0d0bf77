// Which extensions an agent has, worked out once for all its instances.
#pragma once

#include <string>
#include <vector>

#include <goondan/bundle.h>

namespace goondan::agent {

// One extension of an agent, in the order of its list.
struct PlannedExtension {
  std::string name = {};
  JsonObject config = {};  // the agent's over the extension's own
  // Of the bundle; nothing for one that ships with this program.
  std::optional<ExtensionResource> resource = {};
};

// `extensions` of the agent, each once, and the guard that its `requiredTools` ask for. A bundle's
// extension hides the shipped one of the same name.
Result<std::vector<PlannedExtension>> plan_extensions(const Bundle& bundle,
                                                      const AgentResource& agent);

}  // namespace goondan::agent
