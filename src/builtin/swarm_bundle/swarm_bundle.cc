#include "builtin/swarm_bundle/swarm_bundle.h"

#include "builtin/swarm_bundle/embedded.h"

namespace goondan::builtin::swarm_bundle {
namespace {

Result<Json> open_changeset(const Services&, ToolContext& context, const JsonObject& input) {
  return context.request("swarmBundle.openChangeset", input);
}

Result<Json> commit_changeset(const Services&, ToolContext& context, const JsonObject& input) {
  return context.request("swarmBundle.commitChangeset", input);
}

}  // namespace

Definition definition() {
  return {.name = "swarmBundle",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "swarmBundle.openChangeset", .handle = open_changeset},
                      {.name = "swarmBundle.commitChangeset", .handle = commit_changeset}}};
}

}  // namespace goondan::builtin::swarm_bundle
