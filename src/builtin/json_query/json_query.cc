#include "builtin/json_query/json_query.h"

#include "builtin/json_query/embedded.h"

namespace goondan::builtin::json_query {
namespace {

Result<Json> not_yet(const Services&, ToolContext&, const JsonObject&) {
  return tool_error("not part of this version");
}

}  // namespace

Definition definition() {
  return {.name = "json-query",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "query", .handle = not_yet},
                      {.name = "pick", .handle = not_yet},
                      {.name = "count", .handle = not_yet},
                      {.name = "flatten", .handle = not_yet}}};
}

}  // namespace goondan::builtin::json_query
