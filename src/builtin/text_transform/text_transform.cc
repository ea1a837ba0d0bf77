#include "builtin/text_transform/text_transform.h"

#include "builtin/text_transform/embedded.h"

namespace goondan::builtin::text_transform {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "text-transform",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "replace", .handle = not_yet},
                      {.name = "slice", .handle = not_yet},
                      {.name = "split", .handle = not_yet},
                      {.name = "join", .handle = not_yet},
                      {.name = "trim", .handle = not_yet},
                      {.name = "case", .handle = not_yet}}};
}

}  // namespace goondan::builtin::text_transform
