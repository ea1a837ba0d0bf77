#include "builtin/self_restart/self_restart.h"

#include "builtin/self_restart/embedded.h"

namespace goondan::builtin::self_restart {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "self-restart",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "request", .handle = not_yet}}};
}

}  // namespace goondan::builtin::self_restart
