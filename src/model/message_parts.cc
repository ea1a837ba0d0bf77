#include "base/json_fields.h"
#include "model/message.h"

namespace goondan {
namespace {

ToolCall call_of(const JsonObject& part) {
  std::string id = text_field(part, "toolCallId");
  std::string name = text_field(part, "toolName");
  const Json* text = part.if_contains("inputText");
  if (text != nullptr && text->is_string()) {
    return call_from_text(std::move(id), std::move(name), text->get_string());
  }
  ToolCall call{.id = std::move(id), .name = std::move(name)};
  if (const Json* input = part.if_contains("input")) call.input = *input;
  return call;
}

// Whether `value` nests deeper than `levels`.
bool deeper_than(const Json& value, std::size_t levels) {
  if (!value.is_structured()) return false;
  if (levels == 0) return true;
  if (const JsonArray* array = value.if_array()) {
    return std::ranges::any_of(*array,
                               [levels](const Json& one) { return deeper_than(one, levels - 1); });
  }
  return std::ranges::any_of(value.get_object(), [levels](const auto& member) {
    return deeper_than(member.value(), levels - 1);
  });
}

}  // namespace

ToolCall call_from_text(std::string id, std::string name, std::string_view arguments) {
  ToolCall call = ToolCall::from_text(std::move(id), std::move(name), arguments);
  if (deeper_than(call.input, kMaxArgumentDepth)) {
    call.input_problem =
        "nested deeper than " + std::to_string(kMaxArgumentDepth) + " levels, which is not read";
  }
  if (!call.input_problem.empty()) call.input = Json(boost::json::string(arguments));
  return call;
}

JsonObject text_part(std::string_view text) {
  return {{"type", "text"}, {"text", text}};
}

JsonObject tool_call_part(const ToolCall& call) {
  JsonObject part{{"type", "tool-call"}, {"toolCallId", call.id}, {"toolName", call.name}};
  if (call.input.is_object()) {
    part["input"] = call.input;
    return part;
  }
  part["input"] = JsonObject();
  const bool unread = !call.input_problem.empty() && call.input.is_string();
  part["inputText"] = unread ? call.input : Json(JsonString(to_text(call.input)));
  return part;
}

JsonObject opaque_part(std::string_view provider, Json block) {
  return {{"type", "opaque"}, {"provider", provider}, {"block", std::move(block)}};
}

std::vector<ToolCall> Message::tool_calls() const {
  std::vector<ToolCall> calls;
  const JsonArray* parts = array_field(object_or_empty(data), "content");
  if (parts == nullptr || role() != Role::Assistant) return calls;
  for (const Json& part : *parts) {
    const JsonObject& object = object_or_empty(part);
    if (text_field(object, "type") == "tool-call") calls.push_back(call_of(object));
  }
  return calls;
}

}  // namespace goondan
