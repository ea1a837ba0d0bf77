// Requests of one agent to another, and the end of messages that answers them.
#include "store/journal_schema.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

RequestRecord request_row(const Statement& row) {
  return {.correlation_id = row.text(0),
          .event_id = row.text(1),
          .caller_agent = row.text(2),
          .caller_instance_key = row.text(3),
          .target = row.text(4),
          .target_instance_key = row.text(5),
          .event_type = row.text(6),
          .metadata = row.text(7),
          .trace_id = row.text(8),
          .surroundings = row.text(11),
          .mode = row.integer(9) == 0 ? RequestRecord::Mode::Blocking : RequestRecord::Mode::Async,
          .deadline_ms = row.integer(10)};
}

Result<void> insert_request(Database& database, const RequestRecord& request) {
  Statement insert = GDN_TRY(database.prepare(
      "INSERT INTO requests(correlation_id, event_id, caller_agent, caller_instance_key, target, "
      "target_instance_key, event_type, metadata, trace_id, mode, deadline_ms, surroundings) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  return insert.bind(1, request.correlation_id)
      .bind(2, request.event_id)
      .bind(3, request.caller_agent)
      .bind(4, request.caller_instance_key)
      .bind(5, request.target)
      .bind(6, request.target_instance_key)
      .bind(7, request.event_type)
      .bind(8, request.metadata)
      .bind(9, request.trace_id)
      .bind(10, static_cast<std::int64_t>(request.mode))
      .bind(11, request.deadline_ms)
      .bind(12, request.surroundings)
      .execute();
}

// Whether it was not finished before.
Result<bool> finish_message(Database& database, std::string_view id) {
  Statement update = GDN_TRY(database.prepare(
      "UPDATE messages SET finished_ms = ?, payload = '' WHERE id = ? AND finished_ms = 0"));
  GDN_TRY(update.bind(1, now_ms()).bind(2, id).execute());
  return database.changes() > 0;
}

// Whether there was one.
Result<bool> delete_request(Database& database, std::string_view correlation_id) {
  Statement remove = GDN_TRY(database.prepare("DELETE FROM requests WHERE correlation_id = ?"));
  GDN_TRY(remove.bind(1, correlation_id).execute());
  return database.changes() > 0;
}

Result<void> follow(Database& database, const std::optional<JournalMessage>& follow_up) {
  if (follow_up.has_value()) GDN_TRY(insert_message(database, *follow_up));
  return {};
}

}  // namespace

Result<Journal::Accepted> Journal::accept(const JournalMessage& message,
                                          const RequestRecord& request) {
  Accepted accepted = Accepted::Known;
  const Result<void> done = database_.transaction([&]() -> Result<void> {
    accepted = GDN_TRY(insert_message(database_, message));
    if (accepted == Accepted::New) GDN_TRY(insert_request(database_, request));
    return {};
  });
  if (!done.ok()) return done.error();
  return accepted;
}

Result<void> Journal::finish(std::string_view id, std::string_view correlation_id,
                             const std::optional<JournalMessage>& follow_up) {
  return database_.transaction([&]() -> Result<void> {
    const bool first = GDN_TRY(finish_message(database_, id));
    if (!first) return {};
    if (!correlation_id.empty()) GDN_TRY(delete_request(database_, correlation_id));
    return follow(database_, follow_up);
  });
}

Result<void> Journal::drop_request(std::string_view correlation_id,
                                   const std::optional<JournalMessage>& follow_up) {
  return database_.transaction([&]() -> Result<void> {
    const bool first = GDN_TRY(delete_request(database_, correlation_id));
    if (!first) return {};
    return follow(database_, follow_up);
  });
}

Result<std::vector<RequestRecord>> Journal::requests() const {
  Statement query = GDN_TRY(database_.prepare(
      "SELECT correlation_id, event_id, caller_agent, caller_instance_key, target, "
      "target_instance_key, event_type, metadata, trace_id, mode, deadline_ms, surroundings "
      "FROM requests ORDER BY seq"));
  return read_all(query, request_row);
}

}  // namespace goondan::store
