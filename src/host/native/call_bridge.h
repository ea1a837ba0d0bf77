// The runtime's side of one call, as a plugin sees it through the C structs; used in the worker
// process and for plugins in our own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/plugin_abi.h>
#include <goondan/result.h>

namespace goondan {

// A status of the C interface with the JSON text that came with it, not looked into yet.
struct RawReply {
  int status = GDN_REPLY_ERROR;
  std::string json = {};
};

// What a handler may ask for. Its functions are called by the plugin, on any of its threads, and
// must not throw.
class CallBridge {
 public:
  explicit CallBridge(std::stop_token stop) : stop_(std::move(stop)) {}
  virtual ~CallBridge() = default;
  CallBridge(const CallBridge&) = delete;
  CallBridge& operator=(const CallBridge&) = delete;

  virtual void log(int level, std::string_view text) = 0;
  virtual void progress(double done, double total, std::string_view text) = 0;
  virtual RawReply request(std::string_view method, std::string_view params_json) = 0;

  // Arranges for `stop(self)` on a stop request; null takes it back and waits for one that runs.
  void on_stop(void (*stop)(void* self), void* self);

 private:
  std::stop_token stop_;
  std::mutex callback_mutex_;  // recursion is not meant: `stop` may not call `on_stop`
  std::optional<std::stop_callback<std::function<void()>>> callback_;
};

struct ExportCall {
  std::string_view input;    // JSON
  std::string_view context;  // JSON
  CallBridge& bridge;
  gdn_host* life = nullptr;  // see `life_host`; null for tools
};

// What an extension may use for as long as this process lives. Never destroyed: threads that nobody
// knows of may hold it. `bridge` gets no stop.
gdn_host* life_host(std::unique_ptr<CallBridge> bridge);

// Runs one handler on this thread. Fails with `E_TOOL_BAD_REPLY` if it did not reply, replied
// twice, with an unknown status or with too much.
Result<RawReply> invoke_export(const gdn_export& exported, const ExportCall& call);

}  // namespace goondan
