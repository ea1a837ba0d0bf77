#include "builtin/text_transform/text_transform.h"

#include "builtin/text_transform/embedded.h"
#include "builtin/text_transform/handlers.h"

namespace goondan::builtin::text_transform {

Definition definition() {
  return {.name = "text-transform",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "replace", .handle = replace},
                      {.name = "slice", .handle = slice},
                      {.name = "split", .handle = split},
                      {.name = "join", .handle = join},
                      {.name = "trim", .handle = trim},
                      {.name = "case", .handle = change_case}}};
}

}  // namespace goondan::builtin::text_transform
