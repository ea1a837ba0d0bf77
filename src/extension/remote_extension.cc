#include "extension/remote_extension.h"

#include "base/json_fields.h"
#include "extension/remote_registration.h"

namespace goondan {
namespace {

class Hub final : public RemoteExtensions, public PeerListener {
 public:
  Hub(std::shared_ptr<Peer> peer, EventBus& events)
      : peer_(std::move(peer)), forwarder_(peer_, events, *this) {}

  Result<void> add(Extension extension) override {
    const std::string name = extension.site.name;
    auto made = std::make_shared<RemoteRegistration>(
        RemoteRegistration::Surroundings{.peer = peer_, .events = forwarder_, .names = names_},
        std::move(extension));
    extensions_.push_back(made);
    names_->add(name, made);
    return made->start();
  }

  void on_notify(const std::string& method, const Json& params) override {
    const JsonObject& object = object_or_empty(params);
    // A tool says something to the extensions, and is none itself.
    if (method == "events.emit" && text_field(object, "extension").empty())
      return forwarder_.emit_from_peer(text_field(object, "name"), any_field(object, "payload"));
    if (const auto extension = names_->named_in(params)) extension->hear(method, params);
  }

  Result<Json> on_request(const std::string& method, const Json& params) override {
    if (const auto extension = names_->named_in(params)) return extension->serve(method, params);
    return Error{.code = ErrorCode::NotFound, .message = "'" + method + "' names no extension"};
  }

 private:
  std::shared_ptr<Peer> peer_;
  std::shared_ptr<RemoteNames> names_ = std::make_shared<RemoteNames>();
  std::vector<std::shared_ptr<RemoteRegistration>> extensions_;
  EventForwarder forwarder_;  // the last member: its thread uses the others
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
