// What an instance need not keep for ever.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

// So many turns pass between two tidyings.
constexpr std::int64_t kTidyEvery = 16;

// One number; 0 for none.
Result<std::int64_t> number(Database& database, std::string_view sql) {
  Statement query = GDN_TRY(database.prepare(sql));
  const bool found = GDN_TRY(query.step());
  return found ? query.integer(0) : 0;
}

Result<void> remove_up_to(Database& database, std::string_view sql, std::int64_t last) {
  Statement remove = GDN_TRY(database.prepare(sql));
  return remove.bind(1, last).execute();
}

// The traces of turns that go. One that goes on in later turns loses what lies before those.
constexpr std::string_view kRemoveSpans =
    "DELETE FROM spans WHERE trace_id IN (SELECT trace_id FROM turns WHERE seq <= ?1) AND "
    "(trace_id NOT IN (SELECT trace_id FROM turns WHERE seq > ?1) OR start_ns < "
    "(SELECT CAST(strftime('%s', started_at) AS INTEGER) * 1000000000 FROM turns "
    "WHERE seq > ?1 ORDER BY seq LIMIT 1))";

}  // namespace

Result<void> tidy_turns(Database& database) {
  const std::int64_t newest = GDN_TRY(number(database, "SELECT max(seq) FROM turns"));
  const std::int64_t last = newest - static_cast<std::int64_t>(kKeptTurns);
  if (newest % kTidyEvery != 0 || last <= 0) return {};
  GDN_TRY(remove_up_to(database, kRemoveSpans, last));
  return remove_up_to(database, "DELETE FROM turns WHERE seq <= ? AND state = 1", last);
}

Result<void> tidy_injections(Database& database) {
  const std::int64_t newest = GDN_TRY(number(database, "SELECT max(seq) FROM injections"));
  const std::int64_t last = newest - static_cast<std::int64_t>(kKeptInjections);
  if (last <= 0) return {};
  return remove_up_to(database, "DELETE FROM injections WHERE seq <= ? AND used = 1", last);
}

Result<void> tidy_outputs(Database& database) {
  std::int64_t last = 0;  // that goes
  {
    Statement sizes =
        GDN_TRY(database.prepare("SELECT rowid, length(output) FROM outputs ORDER BY rowid DESC"));
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (last == 0 && GDN_TRY(sizes.step())) {
      bytes += static_cast<std::size_t>(sizes.integer(1));
      if (++count > kKeptOutputs || (count > 1 && bytes > kKeptOutputBytes))
        last = sizes.integer(0);
    }
  }
  if (last == 0) return {};
  return remove_up_to(database, "DELETE FROM outputs WHERE rowid <= ?", last);
}

}  // namespace goondan::store
