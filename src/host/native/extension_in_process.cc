#include "host/native/extension_in_process.h"

#include <exception>
#include <mutex>
#include <vector>

#include "host/native/extension_bridge.h"
#include "host/native/plugin_json.h"
#include "host/native/protocol.h"

namespace goondan {
namespace {

Error refused(std::string_view method) {
  return {.code = ErrorCode::NotFound,
          .message = "nobody here answers '" + std::string(method) + "'",
          .suggestion = "See docs/extension-protocol.md for what may be asked when."};
}

// One call's view of the runtime: the functions of the `PeerCall`. What they throw, a layer inside
// has thrown: it goes around the plugin, since it may not go through.
class CallSide final : public ExtensionBridge {
 public:
  explicit CallSide(const PeerCall& call) : ExtensionBridge(call.stop), call_(call) {}

  RawReply request(std::string_view method, std::string_view params_json) override {
    try {
      return raw_reply(ask(std::string(method), params_json));
    } catch (...) {
      const std::scoped_lock one(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    return raw_reply(Error{.code = ErrorCode::Middleware, .message = "a layer inside has failed"});
  }

  void throw_on() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void notify(const std::string& method, const Json& params) override {
    const std::scoped_lock one(mutex_);
    if (call_.on_notify) call_.on_notify(method, params);
  }

  Result<Json> ask(const std::string& method, std::string_view params_json) {
    const Json params = GDN_TRY(parse_json(params_json, kExtensionJsonLimits));
    if (is_notice(method)) {
      notify(method, params);
      return Json(nullptr);
    }
    if (!call_.on_request) return refused(method);
    return call_.on_request(method, params);
  }

  const PeerCall& call_;
  std::mutex mutex_;  // notifications come one after the other
  std::exception_ptr thrown_;
};

// Those who hear what is said outside of calls.
class Listeners {
 public:
  void add(std::shared_ptr<PeerListener> listener) {
    const std::scoped_lock lock(mutex_);
    listeners_.push_back(std::move(listener));
  }
  void clear() {
    std::unique_lock lock(mutex_);
    const auto gone = std::exchange(listeners_, {});
    lock.unlock();
  }
  [[nodiscard]] std::vector<std::shared_ptr<PeerListener>> all() const {
    const std::scoped_lock lock(mutex_);
    return listeners_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<PeerListener>> listeners_;
};

// The extension's view of the runtime for its whole life, which may be longer than the peer's.
class LifeSide final : public ExtensionBridge {
 public:
  explicit LifeSide(std::shared_ptr<Listeners> listeners)
      : ExtensionBridge(std::stop_token()), listeners_(std::move(listeners)) {}

  RawReply request(std::string_view method, std::string_view params_json) override {
    return raw_reply(ask(std::string(method), params_json));
  }

 private:
  void notify(const std::string& method, const Json& params) override {
    for (const auto& listener : listeners_->all())
      listener->on_notify(method, params);
  }

  Result<Json> ask(const std::string& method, std::string_view params_json) {
    const Json params = GDN_TRY(parse_json(params_json, kExtensionJsonLimits));
    if (is_notice(method)) {
      notify(method, params);
      return Json(nullptr);
    }
    for (const auto& listener : listeners_->all()) {
      Result<Json> answer = listener->on_request(method, params);
      if (answer.ok() || answer.error().code != ErrorCode::NotFound) return answer;
    }
    return refused(method);
  }

  std::shared_ptr<Listeners> listeners_;
};

class InProcess final : public Peer {
 public:
  explicit InProcess(std::shared_ptr<const PluginLibrary> library)
      : library_(std::move(library)), exported_(*library_->find(GDN_EXTENSION_EXPORT)) {}
  ~InProcess() override { listeners_->clear(); }

  Result<Json> call(const PeerCall& call) override {
    if (call.method == "load") return JsonObject();  // it is here already
    if (call.stop.stop_requested()) return cancelled();
    const std::string input = to_text(JsonObject{{"method", call.method}, {"params", call.params}});
    CallSide bridge(call);
    const Result<RawReply> raw = invoke_export(
        exported_, {.input = input, .context = "{}", .bridge = bridge, .life = life()});
    bridge.throw_on();
    if (!raw.ok()) return raw.error();
    ToolReply reply = GDN_TRY(parse_tool_reply(*raw, kExtensionJsonLimits));
    return std::move(reply.outcome);
  }

  Result<void> add_setup(Setup setup) override { return setup(*this); }
  void listen(std::shared_ptr<PeerListener> listener) override {
    listeners_->add(std::move(listener));
  }

 private:
  static Error cancelled() {
    return {.code = ErrorCode::ToolCancelled, .message = "the call was cancelled"};
  }

  // Made when it is first needed, since it is never given back.
  gdn_host* life() {
    std::call_once(made_, [this] { life_ = life_host(std::make_unique<LifeSide>(listeners_)); });
    return life_;
  }

  std::shared_ptr<const PluginLibrary> library_;
  const gdn_export& exported_;
  std::shared_ptr<Listeners> listeners_ = std::make_shared<Listeners>();
  std::once_flag made_;
  gdn_host* life_ = nullptr;
};

}  // namespace

std::shared_ptr<Peer> make_extension_in_process(std::shared_ptr<const PluginLibrary> library) {
  return std::make_shared<InProcess>(std::move(library));
}

}  // namespace goondan
