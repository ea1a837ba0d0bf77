// Reading and changing records.
#include "oauth/store/store.h"

#include <algorithm>
#include <array>
#include <sodium.h>
#include <utility>

#include "oauth/store/byte_fields.h"
#include "oauth/store/sealed_record.h"
#include "oauth/store/store_state.h"

namespace goondan::oauth {
namespace {

Error conflict(const RecordName& name, std::uint64_t expected, std::uint64_t found) {
  return {.code = ErrorCode::StoreConflict,
          .message = "an OAuth record of app '" + name.app +
                     "' was changed by another: generation " + std::to_string(expected) +
                     " was expected, " + std::to_string(found) + " is there",
          .suggestion = "read it again and repeat the step"};
}

// Whether the index agrees with a record of this generation; see `Index`.
bool is_current(const Index& index, const RecordName& name, std::uint64_t generation) {
  const auto known = index.records.find(name);
  return known != index.records.end() && generation >= known->second &&
         generation <= index.last + 1;
}

}  // namespace

Result<std::optional<Record>> Store::State::get(const RecordName& name) {
  const ViewPtr seen = GDN_TRY(view());
  if (!seen->index.records.contains(name)) return std::optional<Record>();
  auto file = seen->records
                  ? GDN_TRY(seen->records->read(file_name(*seen->key, name), kMaxRecordFile))
                  : std::nullopt;
  if (file) {
    std::optional<Record> record = unseal_record(*seen->key, name, file->bytes);
    if (record && is_current(seen->index, name, record->generation)) return record;
  } else if (GDN_TRY(index_head()) == seen->head) {
    return std::optional<Record>();
  }
  // Somebody has written meanwhile, or it cannot be trusted. While nobody writes, that is clear.
  const RecordLock writer = GDN_TRY(writer_lock());
  const ViewPtr now = GDN_TRY(view_to_write());
  return judged(*now, name);
}

Result<std::optional<Record>> Store::State::judged(const View& now, const RecordName& name) {
  if (!now.index.records.contains(name)) return std::optional<Record>();
  const std::string file_of_name = file_name(*now.key, name);
  const auto file = GDN_TRY(now.records->read(file_of_name, kMaxRecordFile));
  if (!file) return std::optional<Record>();
  std::optional<Record> record = unseal_record(*now.key, name, file->bytes);
  if (record && is_current(now.index, name, record->generation)) return record;
  const std::string then = "; app '" + name.app + "' must be authorized again";
  if (!record) {
    quarantine(*now.records, file_of_name, "damaged, or the file of another record" + then);
  } else if (record->generation > now.index.last) {
    quarantine(*now.records, file_of_name, "newer than the index, which was put back" + then);
  } else {
    quarantine(*now.records, file_of_name, "an older version that was put back" + then);
  }
  return std::optional<Record>();
}

Result<std::uint64_t> Store::State::put(const RecordName& name, const Secret& json,
                                        std::uint64_t expected) {
  GDN_TRY(check_limits(name, json));
  const RecordLock writer = GDN_TRY(writer_lock());
  const ViewPtr now = GDN_TRY(view_to_write());
  const auto found = GDN_TRY(judged(*now, name));
  const std::uint64_t current = found ? found->generation : 0;
  if (current != expected) return conflict(name, expected, current);
  Index index = now->index;
  if (current > index.last) {  // the last step of a killed `put`
    index.last = index.records[name] = current;
    GDN_TRY(write_index(*now->key, index));
  }
  const bool is_new = !index.records.contains(name);
  const std::uint64_t next = index.last = index.records[name] = index.last + 1;
  const std::string sealed = seal_record(*now->key, name, json, next);
  const std::string file_of_name = file_name(*now->key, name);
  StagedFile record = GDN_TRY(StagedFile::write(*now->records, sealed));
  StagedFile new_index = GDN_TRY(StagedFile::write(folder_, seal_index(*now->key, index)));
  if (is_new) {
    GDN_TRY(place(new_index, kIndexFile, record, file_of_name));
  } else {
    GDN_TRY(place(record, file_of_name, new_index, kIndexFile));
  }
  return next;
}

Result<void> Store::State::place(StagedFile& first, const std::string& first_name,
                                 StagedFile& second, const std::string& second_name) {
  GDN_TRY(first.place(first_name));
  const Result<void> placed = second.place(second_name);
  if (!placed.ok()) first.take_back();
  return placed;
}

Result<void> Store::State::write_index(const Key& key, const Index& index) {
  StagedFile file = GDN_TRY(StagedFile::write(folder_, seal_index(key, index)));
  return file.place(kIndexFile);
}

Result<void> Store::State::remove(const RecordName& name) {
  const RecordLock writer = GDN_TRY(writer_lock());
  const ViewPtr now = GDN_TRY(view_to_write());
  Index index = now->index;
  if (index.records.erase(name) == 0) return {};
  const auto found = GDN_TRY(judged(*now, name));
  // One more than any that was ever given: a copy of this record is not taken for a later one.
  index.last = std::max(index.last, found ? found->generation : 0) + 1;
  if (!found) return write_index(*now->key, index);
  return take_away(*now, file_name(*now->key, name), index);
}

// The file first: a record that the index still knows is merely not there. It comes back if the
// index cannot be written.
Result<void> Store::State::take_away(const View& now, const std::string& file, const Index& index) {
  const PrivateFolder& records = *now.records;
  const std::string aside = unused_name(kNewFilePrefix);
  StagedFile new_index = GDN_TRY(StagedFile::write(folder_, seal_index(*now.key, index)));
  GDN_TRY(records.move(file, records, aside));
  Result<void> done = records.sync();
  if (done.ok()) done = new_index.place(kIndexFile);
  // One that stays under this name is removed when the store is opened the next time.
  (void)(done.ok() ? records.remove(aside) : records.move(aside, records, file)).ok();
  return done;
}

Result<std::vector<RecordName>> Store::State::list(RecordKind kind) {
  const ViewPtr now = GDN_TRY(view());
  std::vector<RecordName> names;
  for (const auto& [name, generation] : now->index.records)
    if (name.kind == kind && now->records && now->records->has(file_name(*now->key, name)))
      names.push_back(name);
  return names;
}

Result<RecordLock> Store::State::lock(const RecordName& name, Deadline deadline,
                                      const std::stop_token& stop) {
  const ViewPtr now = GDN_TRY(view());
  const std::string bytes = name_bytes(name);
  const std::array<char, 32>& key = now->index.lock_key;
  std::array<char, crypto_generichash_BYTES_MIN> hash{};
  ::crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                       reinterpret_cast<const unsigned char*>(key.data()), key.size());
  std::string_view digits(hash.data(), hash.size());
  // A place in a file, so no larger than that can be; 0 is the writer's.
  const std::uint64_t number = take_number<std::uint64_t>(digits).value_or(0) >> 2;
  return hold_lock(locks_, folder_, number + 1, deadline, stop);
}

}  // namespace goondan::oauth
