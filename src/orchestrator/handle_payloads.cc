#include <utility>

#include "base/ids.h"
#include "orchestrator/payloads.h"

namespace goondan::orchestrator {
namespace {

// Of an output that goes into metadata as it is.
constexpr std::size_t kMaxMetadataOutputBytes = std::size_t{64} << 10;

std::string_view state_name(store::HandleState state) {
  switch (state) {
    case store::HandleState::Pending:
      return "pending";
    case store::HandleState::Ok:
      return "ok";
    case store::HandleState::Error:
      return "error";
    case store::HandleState::Cancelled:
      return "cancelled";
  }
  return "pending";
}

// What the journal keeps as text; null if it is no JSON.
Json value_of(const std::string& text) {
  Result<Json> value = parse_json(text);
  return value.ok() ? *std::move(value) : Json(nullptr);
}

// As a model reads it: a text as it is, anything else as JSON.
std::string readable(const Json& value) {
  return cut_text(value.is_string() ? std::string(value.get_string()) : to_text(value),
                  kMaxHandleTextCharacters);
}

std::string injected_text(const store::HandleRecord& handle) {
  std::string text = "The pending result " + handle.handle + " of the tool " + handle.tool_name;
  switch (handle.state) {
    case store::HandleState::Ok:
    case store::HandleState::Pending:
      text += " is there.";
      break;
    case store::HandleState::Error:
      text += " failed.";
      break;
    case store::HandleState::Cancelled:
      text += " was cancelled.";
      break;
  }
  if (!handle.error.empty()) return text + "\n\n" + readable(value_of(handle.error));
  if (!handle.output.empty()) return text + "\n\n" + readable(value_of(handle.output));
  return text;
}

JsonObject handle_metadata(const store::HandleRecord& handle) {
  JsonObject metadata{{"handle", handle.handle},
                      {"status", state_name(handle.state)},
                      {"toolName", handle.tool_name},
                      {"toolCallId", handle.tool_call_id}};
  const bool failed = !handle.error.empty();
  const std::string& text = failed ? handle.error : handle.output;
  if (text.empty()) return metadata;
  const bool whole = text.size() <= kMaxMetadataOutputBytes;
  metadata[failed ? "error" : "output"] = whole ? value_of(text) : Json(readable(value_of(text)));
  if (!whole) metadata["truncated"] = true;
  return metadata;
}

}  // namespace

Json handle_json(const store::HandleRecord& handle) {
  JsonObject object{{"handle", handle.handle},      {"status", state_name(handle.state)},
                    {"agent", handle.agent},        {"instanceKey", handle.instance_key},
                    {"toolName", handle.tool_name}, {"toolCallId", handle.tool_call_id}};
  if (!handle.output.empty()) object["output"] = value_of(handle.output);
  if (!handle.error.empty()) object["error"] = value_of(handle.error);
  object["createdAt"] = handle.created_at;
  if (!handle.completed_at.empty()) object["completedAt"] = handle.completed_at;
  return object;
}

Json handle_summary(const store::HandleRecord& handle) {
  Json whole = handle_json(handle);
  JsonObject& object = whole.get_object();
  for (const std::string_view name : {"output", "error"}) {
    Json* value = object.if_contains(name);
    if (value == nullptr) continue;
    const std::string text = to_text(*value);
    if (text.size() > kMaxSummaryCharacters) *value = cut_text(text, kMaxSummaryCharacters);
  }
  return whole;
}

store::JournalMessage handle_injection(const store::HandleRecord& handle) {
  const std::string id = make_id("msg_");
  JsonObject payload{{"id", id},
                     {"text", injected_text(handle)},
                     {"metadata", JsonObject{{"__goondanHandle", handle_metadata(handle)}}},
                     {"source", JsonObject{{"kind", "system"}, {"name", "handle"}}},
                     {"eventType", "handle.completed"},
                     {"traceId", handle.trace_id}};
  add_surroundings(payload, handle.surroundings);
  return {.id = id,
          .kind = store::MessageKind::Inject,
          .agent = handle.agent,
          .instance_key = handle.instance_key,
          .payload = to_text(payload)};
}

}  // namespace goondan::orchestrator
