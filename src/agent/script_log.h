// What the script host of an agent prints without saying for whom: it goes to whoever watches.
#pragma once

#include "agent/turn_runner.h"
#include "base/json_fields.h"
#include "host/peer/peer.h"

namespace goondan::agent {

// Thread-safe. Borrows the sink.
class ScriptLog final : public PeerListener {
 public:
  explicit ScriptLog(EventSink& sink) : sink_(sink) {}

  void on_notify(const std::string& method, const Json& params) override {
    const JsonObject& object = object_or_empty(params);
    if (method != "log" || !text_field(object, "extension").empty()) return;
    sink_.observe({{"type", "extension.log"},
                   {"extension", "script host"},
                   {"level", text_field(object, "level")},
                   {"text", text_field(object, "text")}});
  }

  Result<Json> on_request(const std::string& method, const Json&) override {
    return Error{.code = ErrorCode::NotFound, .message = "nobody serves '" + method + "' here"};
  }

 private:
  EventSink& sink_;
};

}  // namespace goondan::agent
