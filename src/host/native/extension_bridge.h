// What an extension says through the C interface, as the messages of `docs/extension-protocol.md`.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/plugin_abi.h>

#include "host/native/call_bridge.h"

namespace goondan {

// The C interface knows only requests; these are notifications, and answered with null at once.
bool is_notice(std::string_view method);

// The parameters of `log` and `progress`. Texts are cut to `kMaxLogBytes`.
Json log_params(int level, std::string_view text);
Json progress_params(double done, double total, std::string_view text);

RawReply raw_reply(const Result<Json>& answer);

// Splits what an extension says into requests and notifications. Its functions may throw nothing;
// called on any thread of the plugin's.
class ExtensionBridge : public CallBridge {
 public:
  using CallBridge::CallBridge;

  void log(int level, std::string_view text) final { notify("log", log_params(level, text)); }
  void progress(double done, double total, std::string_view text) final {
    notify("progress", progress_params(done, total, text));
  }

 protected:
  virtual void notify(const std::string& method, const Json& params) = 0;
};

}  // namespace goondan
