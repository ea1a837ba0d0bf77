// Looking through a store, and moving aside what cannot be trusted.
#include <algorithm>
#include <set>
#include <utility>

#include "oauth/store/sealed_record.h"
#include "oauth/store/store_state.h"

namespace goondan::oauth {

void Store::State::warn(std::string_view text) const {
  if (hooks_.log) hooks_.log(LogLevel::Warn, text);
}

// That a file cannot be moved changes nothing about what is said of it.
void Store::State::quarantine(const PrivateFolder& folder, const std::string& file,
                              std::string_view why) {
  const auto place = folder_.make_inner(kQuarantine);
  const std::string name = unused_name(file.substr(0, 16) + "-");
  const bool moved = place.ok() && folder.move(file, *place, name).ok() && folder.sync().ok();
  warn("OAuth store: '" + file + "' is not used" +
       (moved ? ", it is now '" + (place->path() / name).string() + "'" : std::string()) +
       "; it is " + std::string(why));
}

Result<StoreHealth> Store::State::check() {
  const RecordLock writer = GDN_TRY(writer_lock());
  const ViewPtr now = GDN_TRY(view_to_write());
  GDN_TRY(tidy(*now));
  StoreHealth health;
  const Index index = GDN_TRY(checked_index(*now, health));
  if (index != now->index) GDN_TRY(write_index(*now->key, index));
  GDN_TRY(move_strangers(*now));
  const std::optional<PrivateFolder> aside = GDN_TRY(folder_.inner(kQuarantine));
  if (!aside) return health;
  const std::vector<std::string> names = GDN_TRY(aside->names());
  for (const std::string& name : names)
    health.quarantined.push_back(std::filesystem::path(kQuarantine) / name);
  return health;
}

// Without records whose file is not there, and with the generations that are.
Result<Index> Store::State::checked_index(const View& now, StoreHealth& health) {
  Index index = now.index;
  for (const auto& [name, generation] : now.index.records) {
    const auto record = GDN_TRY(judged(now, name));
    if (!record) {
      index.records.erase(name);
      // As if it had been removed; see there.
      index.last = std::max(index.last, now.index.last + 1);
      continue;
    }
    index.records[name] = record->generation;
    index.last = std::max(index.last, record->generation);
    ++(name.kind == RecordKind::Grant ? health.grants : health.sessions);
  }
  return index;
}

Result<void> Store::State::move_strangers(const View& now) {
  std::set<std::string> known;
  for (const auto& [name, generation] : now.index.records)
    known.insert(file_name(*now.key, name));
  const std::vector<std::string> names = GDN_TRY(now.records->names());
  for (const std::string& name : names)
    if (!known.contains(name)) quarantine(*now.records, name, "unknown to the index");
  return {};
}

}  // namespace goondan::oauth
