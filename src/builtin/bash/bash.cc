#include "builtin/bash/bash.h"

#include "builtin/bash/embedded.h"

namespace goondan::builtin::bash {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "bash",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "exec", .handle = not_yet}, {.name = "script", .handle = not_yet}}};
}

}  // namespace goondan::builtin::bash
