// What a `gdn_call` holds, for C++: its context, its end by the runtime, its reply.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/plugin_abi.h>
#include <goondan/tool_context.h>

namespace goondan::plugin {

inline std::string_view view(gdn_bytes bytes) {
  return bytes.size == 0 ? std::string_view() : std::string_view(bytes.data, bytes.size);
}

inline gdn_bytes bytes(std::string_view text) {
  return {.data = text.data(), .size = text.size()};
}

// The text behind `key`; empty if there is none.
std::string text_at(const JsonObject& object, std::string_view key);

// From `{agentName, instanceKey, turnId, traceId, workdir, message, timeoutMs?}`.
CallScope read_scope(const JsonObject& context);
Deadline read_deadline(const JsonObject& context);

// Gives the call its one reply.
void reply(const gdn_call& call, const Result<Json>& outcome);

// Lets the runtime stop the call for as long as this lives.
class StopLink {
 public:
  explicit StopLink(const gdn_call& call);
  ~StopLink();
  StopLink(const StopLink&) = delete;
  StopLink& operator=(const StopLink&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  const gdn_call& call_;
  std::stop_source source_;
};

}  // namespace goondan::plugin
