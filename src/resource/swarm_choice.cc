#include "resource/swarm_choice.h"

#include <algorithm>

namespace goondan {
namespace {

std::string names_of(const std::vector<SwarmResource>& swarms) {
  std::string names;
  for (const SwarmResource& swarm : swarms)
    names += (names.empty() ? "" : ", ") + swarm.meta.name;
  return names;
}

Error not_chosen(const std::vector<SwarmResource>& swarms, std::string_view name) {
  if (swarms.empty()) {
    return {.code = ErrorCode::ConfigSwarmMissing,
            .message = "the bundle has no Swarm, so nothing says which agents to run",
            .suggestion = "Add a document with `kind: Swarm`, `entryAgent` and `agents`."};
  }
  return {.code = ErrorCode::ConfigSwarmMissing,
          .message = name.empty() ? std::string("the bundle has several swarms")
                                  : "the bundle has no swarm '" + std::string(name) + "'",
          .suggestion = "Choose one with --swarm: " + names_of(swarms) + "."};
}

}  // namespace

Result<SwarmResource> choose_swarm(const Bundle& bundle, std::string_view name) {
  const std::vector<SwarmResource>& swarms = bundle.swarms();
  const auto called = [&swarms](std::string_view wanted) {
    return std::ranges::find_if(
        swarms, [wanted](const SwarmResource& swarm) { return swarm.meta.name == wanted; });
  };
  const auto found = called(name.empty() ? "default" : name);
  if (found != swarms.end()) return *found;
  if (name.empty() && swarms.size() == 1) return swarms.front();
  return not_chosen(swarms, name);
}

}  // namespace goondan
