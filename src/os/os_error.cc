#include "os/os_error.h"

#include <system_error>

namespace goondan::os {

Error os_error(std::string_view what, int number) {
  return {.code = ErrorCode::Io,
          .message = std::string(what) + ": " + std::generic_category().message(number)};
}

}  // namespace goondan::os
