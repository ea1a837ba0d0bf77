// Messages that came while a turn ran, or between turns, and wait to be read.
#include "store/instance_state.h"
#include "store/rows.h"

namespace goondan::store {

Result<InstanceStore::Added> InstanceStore::add_injection(const Injection& injection) {
  const std::lock_guard guard(state_->mutex);
  Statement insert = GDN_TRY(state_->database.prepare(
      "INSERT INTO injections(id, json, used) VALUES(?, ?, 0) ON CONFLICT DO NOTHING"));
  GDN_TRY(insert.bind(1, injection.id).bind(2, injection.json).execute());
  return state_->database.changes() > 0 ? Added::New : Added::Known;
}

Result<std::vector<Injection>> InstanceStore::injections() const {
  const std::lock_guard guard(state_->mutex);
  Statement query = GDN_TRY(
      state_->database.prepare("SELECT id, json FROM injections WHERE used = 0 ORDER BY seq"));
  return read_all(query, [](const Statement& row) {
    return Injection{.id = row.text(0), .json = row.text(1)};
  });
}

Result<void> InstanceStore::use_injections(std::span<const Injection> used,
                                           std::span<const MessageEvent> events) {
  return state_->change([&]() -> Result<void> {
    for (const Injection& injection : used) {
      // Its id stays, so that it is known if it comes again.
      Statement update = GDN_TRY(
          state_->database.prepare("UPDATE injections SET used = 1, json = '' WHERE id = ?"));
      GDN_TRY(update.bind(1, injection.id).execute());
    }
    GDN_TRY(tidy_injections(state_->database));
    return add_events(state_->database, events);
  });
}

}  // namespace goondan::store
