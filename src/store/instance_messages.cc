// The conversation: its base, and the events since.
#include <algorithm>

#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

StoredMessage message_row(const Statement& row) {
  return {.id = row.text(0), .json = row.text(1)};
}

MessageEvent event_row(const Statement& row) {
  return {.type = static_cast<EventType>(row.integer(0)),
          .message = {.id = row.text(2), .json = row.text(3)},
          .target_id = row.text(1)};
}

constexpr std::string_view kReadEvents =
    "SELECT type, target, id, message FROM events ORDER BY seq";

Result<void> add_event(Database& database, const MessageEvent& event) {
  Statement insert =
      GDN_TRY(database.prepare("INSERT INTO events(type, target, id, message) VALUES(?, ?, ?, ?)"));
  return insert.bind(1, static_cast<std::int64_t>(event.type))
      .bind(2, event.target_id)
      .bind(3, event.message.id)
      .bind(4, event.message.json)
      .execute();
}

Result<void> append_to_base(Database& database, const StoredMessage& message) {
  Statement insert = GDN_TRY(database.prepare("INSERT INTO base(id, message) VALUES(?, ?)"));
  return insert.bind(1, message.id).bind(2, message.json).execute();
}

Result<void> replace_in_base(Database& database, const MessageEvent& event) {
  Statement update =
      GDN_TRY(database.prepare("UPDATE base SET id = ?2, message = ?3 "
                               "WHERE position = (SELECT min(position) FROM base WHERE id = ?1)"));
  return update.bind(1, event.target_id)
      .bind(2, event.message.id)
      .bind(3, event.message.json)
      .execute();
}

Result<void> remove_from_base(Database& database, const MessageEvent& event) {
  Statement remove = GDN_TRY(database.prepare(
      "DELETE FROM base WHERE position = (SELECT min(position) FROM base WHERE id = ?)"));
  return remove.bind(1, event.target_id).execute();
}

Result<void> clear_base(Database& database) {
  Statement clear = GDN_TRY(database.prepare("DELETE FROM base"));
  return clear.execute();
}

bool known_event(const MessageEvent& event) {
  return event.type >= EventType::Append && event.type <= EventType::Truncate;
}

Error unknown_event() {
  return {.code = ErrorCode::StoreCorrupt,
          .message = "the conversation holds an event of an unknown type",
          .suggestion = "put a copy of the database in its place, or `gdn instance delete` it"};
}

Result<void> fold(Database& database, const MessageEvent& event) {
  switch (event.type) {
    case EventType::Append:
      return append_to_base(database, event.message);
    case EventType::Replace:
      return replace_in_base(database, event);
    case EventType::Remove:
      return remove_from_base(database, event);
    case EventType::Truncate:
      return clear_base(database);
  }
  return unknown_event();
}

}  // namespace

Result<void> add_events(Database& database, std::span<const MessageEvent> events) {
  for (const MessageEvent& event : events)
    GDN_TRY(add_event(database, event));
  return {};
}

Result<void> fold_events(Database& database, std::span<const MessageEvent> last) {
  {
    Statement stored = GDN_TRY(database.prepare(kReadEvents));
    while (GDN_TRY(stored.step()))
      GDN_TRY(fold(database, event_row(stored)));
  }
  for (const MessageEvent& event : last)
    GDN_TRY(fold(database, event));
  Statement clear = GDN_TRY(database.prepare("DELETE FROM events"));
  return clear.execute();
}

Result<std::vector<StoredMessage>> InstanceStore::base() const {
  const std::lock_guard guard(state_->mutex);
  Statement query =
      GDN_TRY(state_->database.prepare("SELECT id, message FROM base ORDER BY position"));
  return read_all(query, message_row);
}

Result<std::vector<MessageEvent>> InstanceStore::events() const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(state_->database.prepare(kReadEvents));
  std::vector<MessageEvent> events = GDN_TRY(read_all(query, event_row));
  if (!std::ranges::all_of(events, known_event)) return unknown_event();
  return events;
}

Result<void> InstanceStore::append(std::span<const MessageEvent> events) {
  return state_->change([&] { return add_events(state_->database, events); });
}

}  // namespace goondan::store
