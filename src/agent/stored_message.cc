#include "agent/stored_message.h"

#include "agent/bounded_text.h"
#include "agent/large_results.h"
#include "base/ids.h"
#include "store/stored_json.h"

namespace goondan::agent {
namespace {

Error unreadable(const store::StoredMessage& message, const Error& why) {
  return {
      .code = ErrorCode::StoreCorrupt,
      .message = "message '" + message.id + "' of the conversation cannot be read: " + why.message,
      .suggestion = "Delete the instance with 'gdn instance delete' to begin anew."};
}

}  // namespace

store::StoredMessage to_stored(const Message& message) {
  return {.id = message.id, .json = to_text(message.to_json())};
}

Result<Message> from_stored(const store::StoredMessage& message) {
  Result<Json> json = store::parse_stored(message.json);
  if (!json.ok()) return unreadable(message, json.error());
  Result<Message> parsed = Message::from_json(*json);
  if (!parsed.ok()) return unreadable(message, parsed.error());
  return parsed;
}

Result<void> make_storable(Message& message) {
  if (message.id.empty()) message.id = make_id("msg_");
  if (message.created_at.empty()) message.created_at = iso_now();
  const Json json = message.to_json();
  if (deeper_than(json, kMaxKeptLevels)) {
    return Error{.code = ErrorCode::Limit,
                 .message = "message '" + message.id + "' is nested more than " +
                            std::to_string(kMaxKeptLevels) + " levels deep"};
  }
  GDN_TRY(Message::from_json(json));
  return {};
}

}  // namespace goondan::agent
