// What an `InstanceStore` owns; for its own sources only.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <string_view>

#include <goondan/result.h>

#include "os/unique_fd.h"
#include "store/database.h"
#include "store/instance_store.h"

namespace goondan::store {

struct InstanceStore::State {
  State(os::UniqueFd held, Database opened) : lock(std::move(held)), database(std::move(opened)) {}

  os::UniqueFd lock;  // let go after the database is closed
  std::mutex mutex = {};
  Database database;

  // `work` alone with the database, in a transaction.
  Result<void> change(const std::function<Result<void>()>& work) {
    const std::lock_guard guard(mutex);
    return database.transaction(work);
  }
};

// Within a transaction of their callers:
Result<void> add_events(Database& database, std::span<const MessageEvent> events);
// Applies all stored events and then `last` to the base, and deletes the stored ones.
Result<void> fold_events(Database& database, std::span<const MessageEvent> last);
Result<void> forget_calls(Database& database, std::string_view turn_id);
Result<void> insert_spans(Database& database, std::span<const SpanRecord> spans);
// Each forgets what is beyond the limits of instance_store.h; of turns not every time.
Result<void> tidy_turns(Database& database);
Result<void> tidy_injections(Database& database);
Result<void> tidy_outputs(Database& database);
// `E_NOT_FOUND` unless the last statement changed a row.
Result<void> must_have_changed(const Database& database, std::string_view what,
                               std::string_view id);

}  // namespace goondan::store
