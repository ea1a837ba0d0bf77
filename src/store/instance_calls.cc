// The calls of the step that runs, and whole outputs.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

CallRecord call_row(const Statement& row) {
  return {.call_id = row.text(0),
          .tool_name = row.text(1),
          .state = row.integer(2) == 0 ? CallState::Begun : CallState::Done,
          .result = row.text(3)};
}

}  // namespace

Result<void> forget_calls(Database& database, std::string_view turn_id) {
  Statement remove = GDN_TRY(database.prepare("DELETE FROM calls WHERE turn_id = ?"));
  return remove.bind(1, turn_id).execute();
}

Result<void> InstanceStore::begin_call(std::string_view turn_id, const CallRecord& call) {
  const std::lock_guard guard(state_->mutex);
  Statement insert = GDN_TRY(state_->database.prepare(
      "INSERT INTO calls(turn_id, call_id, tool_name, state, result) VALUES(?, ?, ?, 0, '') "
      "ON CONFLICT DO UPDATE SET tool_name = excluded.tool_name, state = 0, result = ''"));
  return insert.bind(1, turn_id).bind(2, call.call_id).bind(3, call.tool_name).execute();
}

Result<void> InstanceStore::end_call(std::string_view turn_id, std::string_view call_id,
                                     std::string_view result) {
  const std::lock_guard guard(state_->mutex);
  Statement update = GDN_TRY(state_->database.prepare(
      "UPDATE calls SET state = 1, result = ? WHERE turn_id = ? AND call_id = ?"));
  GDN_TRY(update.bind(1, result).bind(2, turn_id).bind(3, call_id).execute());
  return must_have_changed(state_->database, "call", call_id);
}

Result<std::vector<CallRecord>> InstanceStore::calls(std::string_view turn_id) const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(state_->database.prepare(
      "SELECT call_id, tool_name, state, result FROM calls WHERE turn_id = ? ORDER BY seq"));
  query.bind(1, turn_id);
  return read_all(query, call_row);
}

Result<void> InstanceStore::append_results(std::string_view turn_id,
                                           std::span<const MessageEvent> events) {
  return state_->change([&]() -> Result<void> {
    GDN_TRY(forget_calls(state_->database, turn_id));
    return add_events(state_->database, events);
  });
}

Result<void> InstanceStore::keep_output(std::string_view handle, std::string_view text) {
  return state_->change([&]() -> Result<void> {
    // As a blob: the length of one is known without reading it.
    Statement insert = GDN_TRY(
        state_->database.prepare("INSERT INTO outputs(handle, output) VALUES(?, CAST(? AS BLOB)) "
                                 "ON CONFLICT DO UPDATE SET output = excluded.output"));
    GDN_TRY(insert.bind(1, handle).bind(2, text).execute());
    return tidy_outputs(state_->database);
  });
}

Result<std::optional<std::string>> InstanceStore::output(std::string_view handle) const {
  const std::lock_guard guard(state_->mutex);
  Statement query =
      GDN_TRY(state_->database.prepare("SELECT output FROM outputs WHERE handle = ?"));
  query.bind(1, handle);
  return read_first(query, [](const Statement& row) { return row.text(0); });
}

}  // namespace goondan::store
