#include "extension/shipped/conversation_units.h"

#include <map>
#include <string_view>

#include "base/json_fields.h"

namespace goondan::shipped {
namespace {

constexpr std::string_view kInboundKey = "__goondanInbound";

std::vector<std::string> call_ids(const Message& message) {
  std::vector<std::string> ids;
  const JsonArray* parts = array_field(object_or_empty(message.data), "content");
  if (parts == nullptr || message.role() != Role::Assistant) return ids;
  for (const Json& part : *parts) {
    const JsonObject& object = object_or_empty(part);
    if (text_field(object, "type") == "tool-call") ids.push_back(text_field(object, "toolCallId"));
  }
  return ids;
}

bool from_outside(const Message& message) {
  const JsonObject& source = object_or_empty(message.source);
  return message.role() == Role::User && text_field(source, "type") != "extension";
}

}  // namespace

std::vector<Unit> units_of(std::span<const Message> messages) {
  std::vector<Unit> units;
  // Which unit waits for the result of a call. The last call of an id is the one that is answered.
  std::map<std::string, std::size_t> waiting;
  for (std::size_t place = 0; place < messages.size(); ++place) {
    const Message& message = messages[place];
    if (message.role() == Role::Tool) {
      const auto call = waiting.find(message.tool_call_id());
      if (call == waiting.end()) {
        units.push_back({.kind = Unit::Kind::Stray, .places = {place}});
      } else {
        units[call->second].places.push_back(place);
      }
      continue;
    }
    const std::vector<std::string> ids = call_ids(message);
    for (const std::string& id : ids)
      waiting[id] = units.size();
    units.push_back(
        {.kind = ids.empty() ? Unit::Kind::Plain : Unit::Kind::Calls, .places = {place}});
  }
  return units;
}

std::size_t turn_start(std::span<const Message> messages, const TurnMessage& input) {
  std::size_t last = messages.size();
  for (std::size_t place = messages.size(); place-- > 0;) {
    const Message& message = messages[place];
    if (!from_outside(message)) continue;
    if (last == messages.size()) last = place;
    if (message.metadata.contains(kInboundKey) && message.text() == input.input) return place;
  }
  return last;
}

bool is_kept(const Message& message) {
  return message.role() == Role::System || true_field(message.metadata, "pinned");
}

bool is_summary(const Message& message) {
  return message.metadata.contains(kSummaryKey);
}

Result<void> remove_all(ConversationView& conversation, std::span<const std::string> ids) {
  for (const std::string& id : ids)
    GDN_TRY(conversation.remove(id));
  return {};
}

}  // namespace goondan::shipped
