#include "extension/remote_extension.h"

namespace goondan {

Result<void> register_remote_extension(const RemoteExtensionParts& parts) {
  return Error{.code = ErrorCode::ExtensionInit,
               .message = "extension '" + parts.site.name + "' cannot be registered"};
}

}  // namespace goondan
