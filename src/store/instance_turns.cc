// Turns: begun, counted by steps, finished.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

TurnRecord turn_row(const Statement& row) {
  return {.turn_id = row.text(0),
          .message_id = row.text(1),
          .trace_id = row.text(2),
          .span_id = row.text(3),
          .state = row.integer(4) == 0 ? TurnState::Running : TurnState::Done,
          .message = row.text(5),
          .outcome = row.text(6),
          .steps = row.integer(7),
          .started_at = row.text(8)};
}

Result<void> insert_turn(Database& database, const TurnRecord& turn) {
  Statement insert = GDN_TRY(database.prepare(
      "INSERT INTO turns(turn_id, message_id, trace_id, span_id, state, message, outcome, steps, "
      "started_at) VALUES(?, ?, ?, ?, 0, ?, '', ?, ?)"));
  return insert.bind(1, turn.turn_id)
      .bind(2, turn.message_id)
      .bind(3, turn.trace_id)
      .bind(4, turn.span_id)
      .bind(5, turn.message)
      .bind(6, turn.steps)
      .bind(7, turn.started_at)
      .execute();
}

Result<void> count_step(Database& database, std::string_view turn_id) {
  Statement update = GDN_TRY(
      database.prepare("UPDATE turns SET steps = steps + 1 WHERE turn_id = ? AND state = 0"));
  GDN_TRY(update.bind(1, turn_id).execute());
  return must_have_changed(database, "running turn", turn_id);
}

Result<void> store_outcome(Database& database, std::string_view turn_id, std::string_view outcome) {
  Statement update =
      GDN_TRY(database.prepare("UPDATE turns SET state = 1, outcome = ?, message = '' "
                               "WHERE turn_id = ? AND state = 0"));
  GDN_TRY(update.bind(1, outcome).bind(2, turn_id).execute());
  return must_have_changed(database, "running turn", turn_id);
}

}  // namespace

Result<std::optional<TurnRecord>> InstanceStore::find_turn(std::string_view message_id) const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(state_->database.prepare(
      "SELECT turn_id, message_id, trace_id, span_id, state, message, outcome, steps, started_at "
      "FROM turns WHERE message_id = ?"));
  query.bind(1, message_id);
  return read_first(query, turn_row);
}

Result<std::optional<TurnRecord>> InstanceStore::running_turn() const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(state_->database.prepare(
      "SELECT turn_id, message_id, trace_id, span_id, state, message, outcome, steps, started_at "
      "FROM turns WHERE state = 0 ORDER BY seq LIMIT 1"));
  return read_first(query, turn_row);
}

Result<void> InstanceStore::begin_turn(const TurnRecord& turn,
                                       std::span<const MessageEvent> events) {
  return state_->change([&]() -> Result<void> {
    GDN_TRY(insert_turn(state_->database, turn));
    return add_events(state_->database, events);
  });
}

Result<void> InstanceStore::append_step(std::string_view turn_id,
                                        std::span<const MessageEvent> events) {
  return state_->change([&]() -> Result<void> {
    GDN_TRY(count_step(state_->database, turn_id));
    return add_events(state_->database, events);
  });
}

Result<void> InstanceStore::finish_turn(std::string_view turn_id, std::string_view outcome,
                                        std::span<const MessageEvent> events,
                                        std::span<const SpanRecord> spans) {
  return state_->change([&]() -> Result<void> {
    GDN_TRY(store_outcome(state_->database, turn_id, outcome));
    GDN_TRY(fold_events(state_->database, events));
    GDN_TRY(insert_spans(state_->database, spans));
    GDN_TRY(forget_calls(state_->database, turn_id));
    return tidy_turns(state_->database);
  });
}

}  // namespace goondan::store
