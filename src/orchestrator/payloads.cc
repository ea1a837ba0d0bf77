#include "orchestrator/payloads.h"

#include <algorithm>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "base/utf8.h"
#include "base/white_space.h"

namespace goondan::orchestrator {
namespace {

constexpr std::string_view kReservedPrefix = "__goondan";

std::size_t depth_of(const Json& value, std::size_t limit) {
  if (limit == 0) return 1;
  std::size_t deepest = 0;
  if (const JsonObject* object = value.if_object()) {
    for (const auto& member : *object) {
      deepest = std::max(deepest, depth_of(member.value(), limit - 1));
    }
  } else if (const JsonArray* array = value.if_array()) {
    for (const Json& element : *array)
      deepest = std::max(deepest, depth_of(element, limit - 1));
  }
  return deepest + 1;
}

Result<void> check_input(std::string_view input) {
  if (!unicode::trim_start(input).empty()) return {};
  return Error{.code = ErrorCode::ToolInvalidArgs,
               .message = "'input' must be a non-empty string",
               .suggestion = "Say what the agent is to do."};
}

JsonObject turn_payload(const NewTurn& turn) {
  JsonObject payload{
      {"id", turn.id},         {"input", turn.input},       {"eventType", turn.event_type},
      {"source", turn.source}, {"metadata", turn.metadata}, {"traceId", turn.trace_id}};
  if (!turn.parent_span_id.empty()) payload["parentSpanId"] = turn.parent_span_id;
  payload["callStack"] = call_stack_json(turn.call_stack);
  payload["createdAt"] = iso_now();
  for (const auto& member : turn.surroundings)
    payload.insert(member);
  return payload;
}

}  // namespace

Result<store::JournalMessage> turn_message(const NewTurn& turn) {
  GDN_TRY(check_input(turn.input));
  GDN_TRY(check_depth("'metadata'", turn.metadata));
  GDN_TRY(check_depth("'origin' or 'auth'", turn.surroundings));
  std::string payload = to_text(turn_payload(turn));
  if (payload.size() > kMaxPayloadBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "message of " + std::to_string(payload.size()) + " bytes; at most " +
                            std::to_string(kMaxPayloadBytes) + " are carried",
                 .suggestion = "Write the large part to a file and send its path."};
  }
  return store::JournalMessage{.id = turn.id,
                               .kind = turn.kind,
                               .agent = turn.target.agent,
                               .instance_key = turn.target.key,
                               .correlation_id = turn.correlation_id,
                               .payload = std::move(payload)};
}

JsonObject metadata_of(const JsonObject& payload) {
  const JsonObject* given = object_field(payload, "metadata");
  JsonObject metadata;
  if (given == nullptr) return metadata;
  for (const auto& member : *given) {
    if (!std::string_view(member.key()).starts_with(kReservedPrefix)) metadata.insert(member);
  }
  return metadata;
}

Result<void> check_depth(std::string_view what, const Json& value) {
  if (depth_of(value, kMaxValueDepth) <= kMaxValueDepth) return {};
  return Error{.code = ErrorCode::Limit,
               .message = std::string(what) + " is nested deeper than " +
                          std::to_string(kMaxValueDepth) + " levels",
               .suggestion = "Send it as a text."};
}

JsonObject surroundings_of(const JsonObject& payload) {
  JsonObject surroundings;
  for (const std::string_view name : {"origin", "auth"}) {
    if (const JsonObject* value = object_field(payload, name)) surroundings[name] = *value;
  }
  return surroundings;
}

std::string surroundings_text(const JsonObject& surroundings) {
  return surroundings.empty() ? std::string() : to_text(surroundings);
}

void add_surroundings(JsonObject& payload, std::string_view kept) {
  if (kept.empty()) return;
  const Result<Json> value = parse_json(kept);
  if (!value.ok()) return;
  for (const auto& member : surroundings_of(object_or_empty(*value)))
    payload.insert(member);
}

JsonObject agent_source(const InstanceName& name) {
  return {{"kind", "agent"}, {"name", name.agent}, {"instanceKey", name.key}};
}

Json instance_json(const store::InstanceRecord& record) {
  return JsonObject{{"target", record.agent},
                    {"instanceKey", record.instance_key},
                    {"ownerAgent", record.owner_agent},
                    {"ownerInstanceKey", record.owner_instance_key},
                    {"createdAt", record.created_at},
                    {"cwd", record.cwd.empty() ? Json(nullptr) : Json(record.cwd)}};
}

void ListReply::add(Json value) {
  const std::size_t size = to_text(value).size();
  if (left_out_ > 0 || bytes_ + size > kMaxPayloadBytes) {
    ++left_out_;
    return;
  }
  bytes_ += size + 1;
  values_.push_back(std::move(value));
}

Json ListReply::take() {
  JsonObject reply{{"count", values_.size() + left_out_}};
  reply[name_] = std::move(values_);
  if (left_out_ > 0) reply["truncated"] = true;
  return reply;
}

std::string cut_text(std::string_view text, std::size_t count) {
  const std::string_view kept = utf8::prefix(text, count);
  if (kept.size() == text.size()) return std::string(text);
  return std::string(kept) + "… (" + std::to_string(text.size() - kept.size()) + " bytes cut)";
}

}  // namespace goondan::orchestrator
