#include "builtin/telegram/telegram.h"

#include "builtin/telegram/embedded.h"
#include "builtin/telegram/handlers.h"

namespace goondan::builtin::telegram {

Definition definition() {
  return {.name = "telegram",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "send", .handle = send},
                      {.name = "edit", .handle = edit},
                      {.name = "delete", .handle = remove},
                      {.name = "react", .handle = react},
                      {.name = "setChatAction", .handle = set_chat_action},
                      {.name = "downloadFile", .handle = download_file}}};
}

}  // namespace goondan::builtin::telegram
