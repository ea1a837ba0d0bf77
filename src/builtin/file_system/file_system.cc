#include "builtin/file_system/file_system.h"

#include "builtin/file_system/embedded.h"

namespace goondan::builtin::file_system {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "file-system",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "read", .handle = not_yet},
                      {.name = "write", .handle = not_yet},
                      {.name = "list", .handle = not_yet},
                      {.name = "mkdir", .handle = not_yet}}};
}

}  // namespace goondan::builtin::file_system
