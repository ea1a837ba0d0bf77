// One extension behind a peer: its registration, now and after the other side was started again,
// and what it asks for outside of layers.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "extension/event_forwarder.h"
#include "extension/remote_extension.h"
#include "extension/remote_layers.h"

namespace goondan {

class RemoteRegistration;

// The extensions behind one peer, by name. Thread-safe.
class RemoteNames {
 public:
  void add(const std::string& name, std::weak_ptr<RemoteRegistration> extension);
  // The one that `params` name as `extension`; null if there is none.
  [[nodiscard]] std::shared_ptr<RemoteRegistration> named_in(const Json& params) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::weak_ptr<RemoteRegistration>>> all_;
};

// Its layers and tools hold what they need of it; it may go before them. `serve` and `hear` from
// any thread.
class RemoteRegistration : public std::enable_shared_from_this<RemoteRegistration> {
 public:
  struct Surroundings {
    std::shared_ptr<Peer> peer;
    EventForwarder& events;
    std::shared_ptr<const RemoteNames> names;
  };

  RemoteRegistration(Surroundings surroundings, RemoteExtensions::Extension given)
      : surroundings_(std::move(surroundings)), given_(std::move(given)) {}

  // `E_EXT_INIT` and its kin.
  Result<void> start();

  // `state.set`, `tools.register`; `E_NOT_FOUND` for others. What names another extension is that
  // one's: its listener may have been called within a call of this one.
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

  RemoteRegistration* addressee(const Json& params, std::shared_ptr<RemoteRegistration>& held);

  Surroundings surroundings_;
  RemoteExtensions::Extension given_;
  std::shared_ptr<const RemoteParts> parts_;
  std::mutex mutex_;  // all below: who needs the other side starts it again, on any thread
  std::vector<LayerRecord> layers_;
  bool started_ = false;
};

}  // namespace goondan
