#include "host/native/native_extension.h"

namespace goondan {

Result<std::shared_ptr<Peer>> load_native_extension(const Bundle&,
                                                    const ExtensionResource& extension,
                                                    const std::stop_token&) {
  return Error{.code = ErrorCode::ExtensionLoad,
               .message = "extension '" + extension.meta.name + "' cannot be loaded"};
}

}  // namespace goondan
