#include "extension/remote_extension.h"

#include <map>
#include <mutex>

#include "base/json_fields.h"
#include "extension/remote_registration.h"

namespace goondan {
namespace {

class Hub final : public RemoteExtensions, public PeerListener {
 public:
  Hub(std::shared_ptr<Peer> peer, EventBus& events)
      : peer_(std::move(peer)), forwarder_(peer_, events) {}

  Result<void> add(Extension extension) override {
    const std::string name = extension.site.name;
    auto made = std::make_shared<RemoteRegistration>(peer_, forwarder_, std::move(extension));
    {
      const std::scoped_lock lock(mutex_);
      extensions_[name] = made;
    }
    return made->start();
  }

  void on_notify(const std::string& method, const Json& params) override {
    if (const auto extension = of(params)) extension->hear(method, params);
  }

  Result<Json> on_request(const std::string& method, const Json& params) override {
    if (const auto extension = of(params)) return extension->serve(method, params);
    return Error{.code = ErrorCode::NotFound, .message = "'" + method + "' names no extension"};
  }

 private:
  std::shared_ptr<RemoteRegistration> of(const Json& params) {
    const std::string name = text_field(object_or_empty(params), "extension");
    const std::scoped_lock lock(mutex_);
    const auto found = extensions_.find(name);
    // What is printed without saying by whom: the first has to answer for it.
    if (found != extensions_.end()) return found->second;
    return extensions_.empty() || !name.empty() ? nullptr : extensions_.begin()->second;
  }

  std::shared_ptr<Peer> peer_;
  EventForwarder forwarder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<RemoteRegistration>> extensions_;
};

// The peer holds the hub weakly: it must not keep itself alive through it.
class WeakListener final : public PeerListener {
 public:
  explicit WeakListener(std::weak_ptr<Hub> hub) : hub_(std::move(hub)) {}

  void on_notify(const std::string& method, const Json& params) override {
    if (const auto hub = hub_.lock()) hub->on_notify(method, params);
  }
  Result<Json> on_request(const std::string& method, const Json& params) override {
    if (const auto hub = hub_.lock()) return hub->on_request(method, params);
    return Error{.code = ErrorCode::NotFound, .message = "the extensions are gone"};
  }

 private:
  std::weak_ptr<Hub> hub_;
};

}  // namespace

std::shared_ptr<RemoteExtensions> RemoteExtensions::make(std::shared_ptr<Peer> peer,
                                                         EventBus& events) {
  auto hub = std::make_shared<Hub>(peer, events);
  peer->listen(std::make_shared<WeakListener>(hub));
  return hub;
}

}  // namespace goondan
