#include "extension/turn_message.h"

#include <array>
#include <utility>

#include "base/json_fields.h"

namespace goondan {
namespace {

constexpr std::array<std::pair<std::string_view, TurnStatus>, 3> kStatuses{
    {{"ok", TurnStatus::Ok},
     {"error", TurnStatus::Error},
     {"interrupted", TurnStatus::Interrupted}}};

Error no_turn_message(const std::string& problem) {
  return {.code = ErrorCode::Ipc,
          .message = "not a turn message: " + problem,
          .suggestion = "Both ends must be of the same version of gdn; restart the swarm."};
}

std::vector<std::string> texts_of(const JsonArray* values) {
  std::vector<std::string> texts;
  if (values == nullptr) return texts;
  for (const Json& value : *values) {
    if (value.is_string()) texts.emplace_back(value.get_string());
  }
  return texts;
}

std::string_view status_text(TurnStatus status) {
  for (const auto& [text, known] : kStatuses) {
    if (known == status) return text;
  }
  return "error";
}

}  // namespace

Result<TurnMessage> TurnMessage::from_json(const Json& payload) {
  if (!payload.is_object()) return no_turn_message("it is no object");
  const JsonObject& object = payload.get_object();
  TurnMessage message{.id = text_field(object, "id"),
                      .input = text_field(object, "input"),
                      .event_type = text_field(object, "eventType"),
                      .source = any_field(object, "source"),
                      .trace_id = text_field(object, "traceId"),
                      .parent_span_id = text_field(object, "parentSpanId"),
                      .call_stack = texts_of(array_field(object, "callStack")),
                      .attempt = integer_field(object, "attempt").value_or(1),
                      .created_at = text_field(object, "createdAt")};
  if (message.id.empty()) return no_turn_message("id is missing");
  if (const JsonObject* metadata = object_field(object, "metadata")) message.metadata = *metadata;
  if (const JsonObject* origin = object_field(object, "origin")) message.origin = *origin;
  if (const JsonObject* auth = object_field(object, "auth")) message.auth = *auth;
  return message;
}

Json TurnMessage::to_json() const {
  JsonObject object{{"id", id},         {"input", input},       {"eventType", event_type},
                    {"source", source}, {"metadata", metadata}, {"traceId", trace_id}};
  if (!parent_span_id.empty()) object["parentSpanId"] = parent_span_id;
  object["callStack"] = JsonArray(call_stack.begin(), call_stack.end());
  object["attempt"] = attempt;
  object["createdAt"] = created_at;
  if (!origin.is_null()) object["origin"] = origin;
  if (!auth.is_null()) object["auth"] = auth;
  return object;
}

Json TurnOutcome::to_json(std::string_view message_id) const {
  JsonObject object{{"id", message_id}, {"status", status_text(status)}};
  if (status == TurnStatus::Ok) object["response"] = response;
  if (error) object["error"] = error_json(*error);
  object["finishReason"] = finish_reason;
  return object;
}

// What is not there or cannot be is an error: an outcome that nobody can read is none.
TurnOutcome TurnOutcome::from_json(const Json& value) {
  const JsonObject& object = object_or_empty(value);
  TurnOutcome outcome{.status = TurnStatus::Error,
                      .response = text_field(object, "response"),
                      .finish_reason = text_field(object, "finishReason")};
  const std::string status = text_field(object, "status");
  for (const auto& [text, known] : kStatuses) {
    if (text == status) outcome.status = known;
  }
  if (object_field(object, "error") != nullptr) outcome.error = error_from(object.at("error"));
  if (outcome.status == TurnStatus::Error && !outcome.error) {
    outcome.error = Error{.code = ErrorCode::Internal,
                          .message = "the outcome of the turn could not be read",
                          .suggestion = "Send the message again."};
  }
  if (outcome.finish_reason.empty()) {
    outcome.finish_reason = outcome.status == TurnStatus::Ok ? "text_response" : "error";
  }
  return outcome;
}

}  // namespace goondan
