#include "builtin/telegram/telegram.h"

#include "builtin/telegram/embedded.h"

namespace goondan::builtin::telegram {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "telegram",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "send", .handle = not_yet},
                      {.name = "edit", .handle = not_yet},
                      {.name = "delete", .handle = not_yet},
                      {.name = "react", .handle = not_yet},
                      {.name = "setChatAction", .handle = not_yet},
                      {.name = "downloadFile", .handle = not_yet}}};
}

}  // namespace goondan::builtin::telegram
