// Spans of traces.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

SpanRecord span_row(const Statement& row) {
  return {.trace_id = row.text(0),
          .span_id = row.text(1),
          .parent_id = row.text(2),
          .name = row.text(3),
          .start_ns = row.integer(4),
          .end_ns = row.integer(5),
          .status = row.text(6),
          .attributes = row.text(7)};
}

InstanceStore::TraceSummary trace_row(const Statement& row) {
  return {.trace_id = row.text(0),
          .name = row.text(1),
          .start_ns = row.integer(2),
          .end_ns = row.integer(3),
          .spans = row.integer(4)};
}

Result<void> insert_span(Database& database, const SpanRecord& span) {
  Statement insert = GDN_TRY(database.prepare(
      "INSERT OR REPLACE INTO spans(trace_id, span_id, parent_id, name, start_ns, end_ns, status, "
      "attributes) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"));
  return insert.bind(1, span.trace_id)
      .bind(2, span.span_id)
      .bind(3, span.parent_id)
      .bind(4, span.name)
      .bind(5, span.start_ns)
      .bind(6, span.end_ns)
      .bind(7, span.status)
      .bind(8, span.attributes)
      .execute();
}

}  // namespace

Result<void> insert_spans(Database& database, std::span<const SpanRecord> spans) {
  for (const SpanRecord& span : spans)
    GDN_TRY(insert_span(database, span));
  return {};
}

Result<void> InstanceStore::add_span(const SpanRecord& span) {
  const std::lock_guard guard(state_->mutex);
  return insert_span(state_->database, span);
}

Result<void> InstanceStore::add_spans(std::span<const SpanRecord> spans) {
  return state_->change([&] { return insert_spans(state_->database, spans); });
}

Result<std::vector<SpanRecord>> InstanceStore::spans(std::string_view trace_id) const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(state_->database.prepare(
      "SELECT trace_id, span_id, parent_id, name, start_ns, end_ns, status, attributes FROM spans "
      "WHERE trace_id = ? ORDER BY start_ns, span_id"));
  query.bind(1, trace_id);
  return read_all(query, span_row);
}

Result<std::vector<InstanceStore::TraceSummary>> InstanceStore::traces(std::size_t limit) const {
  const std::lock_guard guard(state_->mutex);
  // The name is that of the row with the smallest start, as SQLite promises for a single min().
  Statement query = GDN_TRY(state_->database.prepare(
      "SELECT first.trace_id, first.name, first.start_ns, ends.end_ns, ends.spans FROM "
      "(SELECT trace_id, name, min(start_ns) AS start_ns FROM spans GROUP BY trace_id) AS first "
      "JOIN (SELECT trace_id, max(end_ns) AS end_ns, count(*) AS spans FROM spans "
      "GROUP BY trace_id) AS ends USING(trace_id) "
      "ORDER BY first.start_ns DESC LIMIT ?"));
  query.bind(1, static_cast<std::int64_t>(limit));
  return read_all(query, trace_row);
}

}  // namespace goondan::store
