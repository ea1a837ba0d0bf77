// Extensions whose code lives behind a `Peer`: what they register becomes layers and tools here.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "extension/extension.h"
#include "host/peer/peer.h"

namespace goondan {

// What a layer may take for itself, not counting what runs inside it. Around calls it is the call's
// deadline.
inline constexpr std::chrono::milliseconds kLayerTime{60'000};

// All extensions of an agent behind one peer. Thread-safe after the last `add`. Layers and tools
// that it has made keep it alive.
class RemoteExtensions {
 public:
  // The bus must outlive it.
  static std::shared_ptr<RemoteExtensions> make(std::shared_ptr<Peer> peer, EventBus& events);
  virtual ~RemoteExtensions() = default;

  struct Extension {
    ExtensionSite& site;  // must outlive this
    JsonObject config = {};
    std::string module = {};  // what `load` gave the other side
    // Of one whose resource is of the first dialect.
    struct FirstDialect {
      Json place = nullptr;     // see `v1alpha1::make_place`
      Json document = nullptr;  // its resource as it is written
    };
    std::optional<FirstDialect> first_dialect = {};
  };
  // Calls the extension's `register`, and puts its layers and tools in their places. A failure of
  // it is `E_EXT_INIT` with the extension's own message.
  virtual Result<void> add(Extension extension) = 0;
};

}  // namespace goondan
