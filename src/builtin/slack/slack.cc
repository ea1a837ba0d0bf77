#include "builtin/slack/slack.h"

#include "builtin/slack/embedded.h"

namespace goondan::builtin::slack {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "slack",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "send", .handle = not_yet},
                      {.name = "read", .handle = not_yet},
                      {.name = "edit", .handle = not_yet},
                      {.name = "delete", .handle = not_yet},
                      {.name = "react", .handle = not_yet},
                      {.name = "downloadFile", .handle = not_yet}}};
}

}  // namespace goondan::builtin::slack
