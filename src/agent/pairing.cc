#include "agent/pairing.h"

#include <unordered_map>
#include <unordered_set>

#include "base/json_fields.h"

namespace goondan::agent {
namespace {

std::string_view text_view(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  if (found == nullptr || !found->is_string()) return {};
  return {found->get_string().data(), found->get_string().size()};
}

std::string_view result_id(const Message& message) {
  return text_view(object_or_empty(message.data), "toolCallId");
}

// Where the results of each call are, first ones last, so that they can be taken from the end.
class Results {
 public:
  explicit Results(std::span<const Message> messages) : messages_(messages) {
    for (std::size_t i = messages.size(); i-- > 0;) {
      if (messages[i].role() == Role::Tool) places_[result_id(messages[i])].push_back(i);
    }
  }

  // The first one behind `call` that has not been taken; null if there is none.
  const Message* take(std::string_view id, std::size_t call) {
    const auto found = places_.find(id);
    if (found == places_.end()) return nullptr;
    std::vector<std::size_t>& places = found->second;
    while (!places.empty()) {
      const std::size_t place = places.back();
      places.pop_back();
      if (place > call) return &messages_[place];
    }
    return nullptr;
  }

 private:
  std::span<const Message> messages_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

}  // namespace

std::vector<std::string_view> call_ids(const Message& message) {
  std::vector<std::string_view> ids;
  const JsonArray* parts = array_field(object_or_empty(message.data), "content");
  if (parts == nullptr || message.role() != Role::Assistant) return ids;
  for (const Json& part : *parts) {
    const JsonObject& object = object_or_empty(part);
    if (text_view(object, "type") == "tool-call") ids.push_back(text_view(object, "toolCallId"));
  }
  return ids;
}

bool paired(std::span<const Message> messages) {
  std::size_t next = 0;
  while (next < messages.size()) {
    const Message& message = messages[next++];
    if (message.role() == Role::Tool) return false;
    for (const std::string_view id : call_ids(message)) {
      if (next == messages.size()) return false;
      const Message& result = messages[next++];
      if (result.role() != Role::Tool || result_id(result) != id) return false;
    }
  }
  return true;
}

std::vector<Message> with_pairs(std::span<const Message> messages) {
  Results results(messages);
  std::vector<Message> made;
  made.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].role() == Role::Tool) continue;
    made.push_back(messages[i]);
    if (call_ids(messages[i]).empty()) continue;
    for (const ToolCall& call : messages[i].tool_calls()) {
      const Message* result = results.take(call.id, i);
      made.push_back(result != nullptr ? *result : Message::tool_result(not_run(call)));
    }
  }
  return made;
}

ToolCallResult not_run(const ToolCall& call) {
  return ToolCallResult::failure(
      call, {.code = ErrorCode::ToolInterrupted,
             .message = "Tool '" + call.name + "' has no result: its turn ended before.",
             .suggestion = "Call it again if the result is still needed."});
}

ToolCallResult interrupted(const ToolCall& call) {
  return ToolCallResult::failure(
      call, {.code = ErrorCode::ToolInterrupted,
             .message = "Tool '" + call.name +
                        "' was interrupted: the agent's process ended while it ran. "
                        "It may have done all, part or none of its work.",
             .suggestion = "Look at what it was to change before you call it again."});
}

OpenCalls open_calls(std::span<const Message> messages) {
  std::unordered_set<std::string_view> answered;
  for (std::size_t i = messages.size(); i-- > 0;) {
    const Message& message = messages[i];
    if (message.role() == Role::Tool) answered.insert(result_id(message));
    if (message.role() != Role::Assistant) continue;
    OpenCalls open{.message = &message};
    for (ToolCall& call : message.tool_calls()) {
      if (!answered.contains(call.id)) open.calls.push_back(std::move(call));
    }
    return open;
  }
  return {};
}

}  // namespace goondan::agent
