#include "extension/extension.h"

namespace goondan {

RegisterExtension find_builtin_extension(std::string_view) {
  return nullptr;
}

}  // namespace goondan
