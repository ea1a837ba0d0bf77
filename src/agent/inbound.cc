#include "agent/inbound.h"

#include "base/ids.h"
#include "base/json_fields.h"
#include "store/stored_json.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kInjectionsEvent = "goondan.injections";
constexpr std::string_view kInboundKey = "__goondanInbound";

JsonObject inbound(const TurnMessage& message) {
  const JsonObject& source = object_or_empty(message.source);
  JsonObject made{{"sourceKind", text_field(source, "kind")},
                  {"sourceName", text_field(source, "name")},
                  {"eventName", message.event_type}};
  const std::string key = text_field(source, "instanceKey");
  if (!key.empty()) made["instanceKey"] = key;
  return made;
}

}  // namespace

Message inbound_message(const TurnMessage& message) {
  JsonObject metadata = message.metadata;
  metadata[kInboundKey] = inbound(message);
  return Message::user(message.input, std::move(metadata));
}

TurnMessage injected(const store::Injection& injection) {
  const Result<Json> json = store::parse_stored(injection.json);
  TurnMessage message{.id = injection.id};
  if (!json.ok() || !json->is_object()) {
    message.input = injection.json;
    return message;
  }
  const JsonObject& object = json->get_object();
  message.input = text_field(object, "text");
  message.event_type = text_field(object, "eventType");
  message.source = any_field(object, "source");
  message.trace_id = text_field(object, "traceId");
  if (const JsonObject* origin = object_field(object, "origin")) message.origin = *origin;
  if (const JsonObject* auth = object_field(object, "auth")) message.auth = *auth;
  if (const JsonObject* metadata = object_field(object, "metadata")) message.metadata = *metadata;
  return message;
}

bool same_surroundings(const TurnMessage& a, const TurnMessage& b) {
  return a.origin == b.origin && a.auth == b.auth;
}

TurnMessage injections_turn(const store::Injection& first) {
  TurnMessage message = injected(first);
  message.id = make_id("injections_");
  message.event_type = kInjectionsEvent;
  message.metadata.clear();
  message.created_at = iso_now();
  return message;
}

bool is_injections_turn(const TurnMessage& message) {
  return message.event_type == kInjectionsEvent;
}

}  // namespace goondan::agent
