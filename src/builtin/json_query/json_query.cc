#include "builtin/json_query/json_query.h"

#include "builtin/json_query/embedded.h"
#include "builtin/json_query/handlers.h"

namespace goondan::builtin::json_query {

Definition definition() {
  return {.name = "json-query",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "query", .handle = query},
                      {.name = "pick", .handle = pick},
                      {.name = "count", .handle = count},
                      {.name = "flatten", .handle = flatten}}};
}

}  // namespace goondan::builtin::json_query
