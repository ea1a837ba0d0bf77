// An extension whose code lives behind a `Peer`: what it registers becomes layers and tools here.
#pragma once

#include <memory>
#include <string>

#include "extension/extension.h"
#include "host/peer/peer.h"

namespace goondan {

struct RemoteExtensionParts {
  ExtensionSite& site;
  JsonObject config = {};
  std::string module = {};  // what `load` gave the other side
  std::shared_ptr<Peer> peer;
};

// Calls the extension's `register`, and puts its layers and tools in their places. A failure of it
// is `E_EXT_INIT` with the extension's own message; `E_EXT_LOAD` if it has no `register`.
Result<void> register_remote_extension(const RemoteExtensionParts& parts);

}  // namespace goondan
