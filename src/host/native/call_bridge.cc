#include "host/native/call_bridge.h"

#include <atomic>
#include <mutex>

#include "host/native/plugin_json.h"

namespace goondan {
namespace {

std::string_view view(gdn_bytes bytes) {
  return bytes.data == nullptr ? std::string_view() : std::string_view(bytes.data, bytes.size);
}

gdn_bytes bytes(std::string_view text) {
  return {.data = text.data(), .size = text.size()};
}

// Takes the replies of one call, from whatever thread they come.
class ReplySlot {
 public:
  void receive(int status, std::string_view json) {
    const std::scoped_lock lock(mutex_);
    if (++count_ > 1) return;
    size_ = json.size();
    reply_.status = status;
    if (size_ <= kPluginJsonLimits.max_bytes) reply_.json = json;
  }

  Result<RawReply> take() {
    const std::scoped_lock lock(mutex_);
    if (count_ == 0) return misuse("returned without a reply", "Call `reply` once.");
    if (count_ > 1) {
      return misuse("replied " + std::to_string(count_) + " times", "Call `reply` only once.");
    }
    if (reply_.status != GDN_REPLY_OK && reply_.status != GDN_REPLY_ERROR) {
      return misuse("replied with the unknown status " + std::to_string(reply_.status),
                    "Use GDN_REPLY_OK or GDN_REPLY_ERROR.");
    }
    if (size_ > kPluginJsonLimits.max_bytes) {
      return misuse("replied with " + std::to_string(size_) + " bytes; the limit is " +
                        std::to_string(kPluginJsonLimits.max_bytes),
                    "Write large results to a file in the workdir and reply with its path.");
    }
    return std::move(reply_);
  }

 private:
  static Error misuse(std::string what, std::string suggestion) {
    return {.code = ErrorCode::ToolBadReply,
            .message = "the plugin's handler " + std::move(what),
            .suggestion = std::move(suggestion)};
  }

  std::mutex mutex_;
  std::size_t count_ = 0;
  std::size_t size_ = 0;
  RawReply reply_;
};

}  // namespace
}  // namespace goondan

// The type that `plugin_abi.h` leaves open. One for each call, and one for an extension's life.
struct gdn_host {
  goondan::CallBridge& bridge;
  goondan::ReplySlot slot = {};
  const gdn_host* older = nullptr;  // of those that live for ever
};

namespace goondan {
namespace {

void host_log(gdn_host* host, int level, gdn_bytes text) noexcept {
  host->bridge.log(level, view(text));
}

void host_progress(gdn_host* host, double done, double total, gdn_bytes text) noexcept {
  host->bridge.progress(done, total, view(text));
}

void host_on_stop(gdn_host* host, void (*stop)(void* self), void* self) noexcept {
  host->bridge.on_stop(stop, self);
}

void host_request(gdn_host* host, gdn_bytes method, gdn_bytes params, gdn_receive receive,
                  void* self) noexcept {
  const RawReply answer = host->bridge.request(view(method), view(params));
  if (receive != nullptr) receive(self, answer.status, bytes(answer.json));
}

void host_reply(void* host, int status, gdn_bytes json) noexcept {
  static_cast<gdn_host*>(host)->slot.receive(status, view(json));
}

constexpr gdn_host_api kHostApi{.size = sizeof(gdn_host_api),
                                .log = host_log,
                                .progress = host_progress,
                                .on_stop = host_on_stop,
                                .request = host_request};

}  // namespace

void CallBridge::on_stop(void (*stop)(void* self), void* self) {
  const std::scoped_lock lock(callback_mutex_);
  callback_.reset();
  if (stop != nullptr) callback_.emplace(stop_, [stop, self] { stop(self); });
}

Result<RawReply> invoke_export(const gdn_export& exported, const ExportCall& call) {
  gdn_host host{.bridge = call.bridge};
  const gdn_call c_call{.size = sizeof(gdn_call),
                        .input_json = bytes(call.input),
                        .context_json = bytes(call.context),
                        .host = &host,
                        .api = &kHostApi,
                        .reply = host_reply,
                        .life = call.life};
  exported.invoke(exported.self, &c_call);
  call.bridge.on_stop(nullptr, nullptr);
  return host.slot.take();
}

gdn_host* life_host(std::unique_ptr<CallBridge> bridge) {
  // Nothing is ever done with the list: it shows whoever looks for lost memory that none is lost.
  static std::atomic<const gdn_host*> newest = nullptr;
  auto* const host = new gdn_host{.bridge = *bridge.release()};
  host->older = newest.exchange(host);
  return host;
}

}  // namespace goondan
