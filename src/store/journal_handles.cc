// Handles of calls that are completed later.
#include "base/ids.h"
#include "store/journal_schema.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

HandleRecord handle_row(const Statement& row) {
  return {.handle = row.text(0),
          .state = enumerator(row, 1, HandleState::Cancelled),
          .agent = row.text(2),
          .instance_key = row.text(3),
          .tool_name = row.text(4),
          .tool_call_id = row.text(5),
          .output = row.text(6),
          .error = row.text(7),
          .trace_id = row.text(8),
          .created_at = row.text(9),
          .completed_at = row.text(10),
          .surroundings = row.text(11)};
}

Result<std::optional<HandleRecord>> find_handle(Database& database, std::string_view handle) {
  Statement query = GDN_TRY(database.prepare(
      "SELECT handle, state, agent, instance_key, tool_name, tool_call_id, output, error, "
      "trace_id, created_at, completed_at, surroundings FROM handles WHERE handle = ?"));
  query.bind(1, handle);
  return read_first(query, handle_row);
}

// Takes the place of a closed one of the same name.
Result<void> insert_handle(Database& database, const HandleRecord& handle) {
  Statement insert = GDN_TRY(database.prepare(
      "INSERT OR REPLACE INTO handles(handle, state, agent, instance_key, tool_name, "
      "tool_call_id, output, error, trace_id, created_at, completed_at, closed_ms, surroundings) "
      "VALUES(?, 0, ?, ?, ?, ?, ?, '', ?, ?, '', 0, ?)"));
  return insert.bind(1, handle.handle)
      .bind(2, handle.agent)
      .bind(3, handle.instance_key)
      .bind(4, handle.tool_name)
      .bind(5, handle.tool_call_id)
      .bind(6, handle.output)
      .bind(7, handle.trace_id)
      .bind(8, handle.created_at.empty() ? iso_now() : handle.created_at)
      .bind(9, handle.surroundings)
      .execute();
}

Result<void> update_handle(Database& database, const HandleRecord& closed) {
  Statement update = GDN_TRY(
      database.prepare("UPDATE handles SET state = ?, output = ?, error = ?, completed_at = ?, "
                       "closed_ms = ? WHERE handle = ?"));
  return update.bind(1, static_cast<std::int64_t>(closed.state))
      .bind(2, closed.output)
      .bind(3, closed.error)
      .bind(4, closed.completed_at.empty() ? iso_now() : closed.completed_at)
      .bind(5, now_ms())
      .bind(6, closed.handle)
      .execute();
}

// What one person waits for must not come back in a turn that acts for another.
bool same_owner(const HandleRecord& a, const HandleRecord& b) {
  return a.agent == b.agent && a.instance_key == b.instance_key && a.surroundings == b.surroundings;
}

std::string_view state_text(HandleState state) {
  switch (state) {
    case HandleState::Pending:
      return "pending";
    case HandleState::Ok:
      return "completed";
    case HandleState::Error:
      return "completed with an error";
    case HandleState::Cancelled:
      break;
  }
  return "cancelled";
}

Error taken(const HandleRecord& by) {
  return {
      .code = ErrorCode::HandleTaken,
      .message = "the handle '" + by.handle + "' is in use by " + by.agent + "@" + by.instance_key,
      .suggestion = "let the tool make a handle that no other call has, e.g. with a random part"};
}

Error not_found(std::string_view handle) {
  return {.code = ErrorCode::HandleNotFound,
          .message = "there is no handle '" + std::string(handle) + "'",
          .suggestion = "`gdn handles` lists them"};
}

Error not_pending(const HandleRecord& found) {
  return {.code = ErrorCode::HandleClosed,
          .message = "the handle '" + found.handle + "' is " +
                     std::string(state_text(found.state)) + " already",
          .suggestion = "`gdn handles` shows what became of it"};
}

}  // namespace

Result<void> delete_instance_handles(Database& database, std::string_view agent,
                                     std::string_view instance_key) {
  Statement remove =
      GDN_TRY(database.prepare("DELETE FROM handles WHERE agent = ? AND instance_key = ?"));
  return remove.bind(1, agent).bind(2, instance_key).execute();
}

Result<void> Journal::open_handle(const HandleRecord& handle) {
  return database_.transaction([&]() -> Result<void> {
    const std::optional<HandleRecord> found = GDN_TRY(find_handle(database_, handle.handle));
    if (found.has_value()) {
      const bool pending = found->state == HandleState::Pending;
      if (pending && !same_owner(*found, handle)) return taken(*found);
      // Said again after a crash; it may have been completed in between.
      if (same_owner(*found, handle) && (pending || found->tool_call_id == handle.tool_call_id))
        return {};
    }
    return insert_handle(database_, handle);
  });
}

Result<std::optional<HandleRecord>> Journal::handle(std::string_view handle) const {
  return find_handle(database_, handle);
}

Result<std::vector<HandleRecord>> Journal::handles() const {
  Statement query = GDN_TRY(database_.prepare(
      "SELECT handle, state, agent, instance_key, tool_name, tool_call_id, output, error, "
      "trace_id, created_at, completed_at, surroundings FROM handles ORDER BY seq DESC LIMIT "
      "1000"));
  return read_all(query, handle_row);
}

Result<std::int64_t> Journal::pending_handles() const {
  Statement query = GDN_TRY(database_.prepare("SELECT count(*) FROM handles WHERE state = 0"));
  const auto count = [](const Statement& row) { return row.integer(0); };
  return GDN_TRY(read_first(query, count)).value_or(0);
}

Result<void> Journal::close_handle(const HandleRecord& closed,
                                   const std::optional<JournalMessage>& follow_up) {
  return database_.transaction([&]() -> Result<void> {
    const std::optional<HandleRecord> found = GDN_TRY(find_handle(database_, closed.handle));
    if (!found.has_value()) return not_found(closed.handle);
    if (found->state != HandleState::Pending) return not_pending(*found);
    GDN_TRY(update_handle(database_, closed));
    if (follow_up.has_value()) GDN_TRY(insert_message(database_, *follow_up));
    return {};
  });
}

}  // namespace goondan::store
