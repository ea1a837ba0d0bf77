#include "host/sdk/call_parts.h"

#include "host/native/plugin_json.h"

namespace goondan::plugin {
namespace {

// Longer is as good as for ever, and would overflow the clock.
constexpr std::chrono::hours kLongestTimeout{24 * 365};

}  // namespace

std::string text_at(const JsonObject& object, std::string_view key) {
  const Json* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

CallScope read_scope(const JsonObject& context) {
  CallScope scope{.agent_name = text_at(context, "agentName"),
                  .instance_key = text_at(context, "instanceKey"),
                  .turn_id = text_at(context, "turnId"),
                  .trace_id = text_at(context, "traceId"),
                  .workdir = text_at(context, "workdir")};
  if (const Json* const message = context.if_contains("message")) scope.message = *message;
  return scope;
}

Deadline read_deadline(const JsonObject& context) {
  const Json* const timeout = context.if_contains("timeoutMs");
  if (timeout == nullptr || !timeout->is_int64()) return Deadline::max();
  const std::chrono::milliseconds time(timeout->get_int64());
  return time > kLongestTimeout ? Deadline::max() : Clock::now() + time;
}

void reply(const gdn_call& call, const Result<Json>& outcome) {
  const std::string text =
      outcome.ok() ? to_text(*outcome) : to_text(error_to_json(outcome.error()));
  call.reply(call.host, outcome.ok() ? GDN_REPLY_OK : GDN_REPLY_ERROR, bytes(text));
}

StopLink::StopLink(const gdn_call& call) : call_(call) {
  call_.api->on_stop(
      call_.host, [](void* self) { static_cast<std::stop_source*>(self)->request_stop(); },
      &source_);
}

StopLink::~StopLink() {
  call_.api->on_stop(call_.host, nullptr, nullptr);
}

}  // namespace goondan::plugin
