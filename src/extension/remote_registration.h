// One extension behind a peer: its registration, now and after the other side was started again,
// and what it asks for outside of layers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extension/event_forwarder.h"
#include "extension/remote_extension.h"
#include "extension/remote_layers.h"

namespace goondan {

// Its layers and tools hold what they need of it; it may go before them. `serve` and `hear` from
// any thread.
class RemoteRegistration : public std::enable_shared_from_this<RemoteRegistration> {
 public:
  RemoteRegistration(std::shared_ptr<Peer> peer, EventForwarder& events,
                     RemoteExtensions::Extension given)
      : events_(events), given_(std::move(given)), peer_(std::move(peer)) {}

  // `E_EXT_INIT` and its kin.
  Result<void> start();

  // `state.set`, `tools.register`; `E_NOT_FOUND` for others.
  Result<Json> serve(const std::string& method, const Json& params);
  // `log`, `events.emit`; others are ignored.
  void hear(const std::string& method, const Json& params);

 private:
  struct LayerRecord {
    LayerKind kind;
    int priority;
    friend bool operator==(const LayerRecord&, const LayerRecord&) = default;
  };

  Result<void> call_register(Peer& peer);

  EventForwarder& events_;
  RemoteExtensions::Extension given_;
  std::shared_ptr<Peer> peer_;
  std::shared_ptr<const RemoteParts> parts_;
  std::vector<LayerRecord> layers_;
  bool started_ = false;
};

}  // namespace goondan
