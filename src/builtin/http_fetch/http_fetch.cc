#include "builtin/http_fetch/http_fetch.h"

#include "builtin/http_fetch/embedded.h"

namespace goondan::builtin::http_fetch {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "http-fetch",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "get", .handle = not_yet}, {.name = "post", .handle = not_yet}}};
}

}  // namespace goondan::builtin::http_fetch
