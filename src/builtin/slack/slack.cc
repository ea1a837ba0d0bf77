#include "builtin/slack/slack.h"

#include "builtin/slack/embedded.h"
#include "builtin/slack/handlers.h"

namespace goondan::builtin::slack {

Definition definition() {
  return {.name = "slack",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "send", .handle = send},
                      {.name = "read", .handle = read},
                      {.name = "edit", .handle = edit},
                      {.name = "delete", .handle = remove},
                      {.name = "react", .handle = react},
                      {.name = "downloadFile", .handle = download_file}}};
}

}  // namespace goondan::builtin::slack
