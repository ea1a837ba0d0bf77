// What extensions keep. The table is made with the first of it: a database of an earlier version
// has none, and needs none until then.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {

Result<std::optional<std::string>> InstanceStore::extension_state(
    std::string_view extension) const {
  const std::lock_guard guard(state_->mutex);
  Statement table = GDN_TRY(state_->database.prepare(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'extension_state'"));
  const auto found =
      GDN_TRY(read_first(table, [](const Statement& row) { return row.integer(0); }));
  if (!found) return std::optional<std::string>();
  Statement query =
      GDN_TRY(state_->database.prepare("SELECT state FROM extension_state WHERE extension = ?"));
  query.bind(1, extension);
  return read_first(query, [](const Statement& row) { return row.text(0); });
}

Result<void> InstanceStore::set_extension_state(std::string_view extension, std::string_view json) {
  return state_->change([&]() -> Result<void> {
    GDN_TRY(state_->database.run(
        "CREATE TABLE IF NOT EXISTS extension_state(extension TEXT PRIMARY KEY, "
        "state TEXT NOT NULL) WITHOUT ROWID"));
    Statement insert = GDN_TRY(state_->database.prepare(
        "INSERT OR REPLACE INTO extension_state(extension, state) VALUES(?, ?)"));
    return insert.bind(1, extension).bind(2, json).execute();
  });
}

}  // namespace goondan::store
