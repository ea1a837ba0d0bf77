// A new key for all records.
#include <algorithm>
#include <utility>

#include "oauth/store/sealed_record.h"
#include "oauth/store/store_state.h"

namespace goondan::oauth {

// The records are sealed into a folder of their own beside the one in use. The index that is sealed
// with the new key, put in place at once, changes to both; until then the old key is in use and
// nothing has happened, from then on the old folder and the old key are only left to be removed.
Result<std::size_t> Store::State::rotate_key() {
  const RecordLock writer = GDN_TRY(writer_lock());
  const ViewPtr now = GDN_TRY(view_to_write());
  KeyRing ring = GDN_TRY(read_ring());
  // A key that is in the ring and not in use was left by an attempt before, or by the operator.
  if (ring.newest()->id() == now->key->id()) {
    ring.add(std::make_shared<const Key>(Key::random()));
    GDN_TRY(write_ring(ring));
  }
  const std::shared_ptr<const Key> key = ring.newest();
  GDN_TRY(folder_.remove_inner(records_folder(key->id())));
  const PrivateFolder into = GDN_TRY(folder_.make_inner(records_folder(key->id())));
  // Records that are not there any more are not taken along; see `remove`.
  Index index{.lock_key = now->index.lock_key, .last = now->index.last + 1};
  const std::size_t count = GDN_TRY(seal_all(*now, *key, into, index));
  GDN_TRY(write_index(*key, index));
  const ViewPtr after = GDN_TRY(view_to_write());
  GDN_TRY(tidy(*after));
  return count;
}

Result<std::size_t> Store::State::seal_all(const View& now, const Key& key,
                                           const PrivateFolder& into, Index& index) {
  for (const auto& [name, generation] : now.index.records) {
    const auto record = GDN_TRY(judged(now, name));
    if (!record) continue;
    GDN_TRY(into.create(file_name(key, name),
                        seal_record(key, name, record->json, record->generation)));
    index.records[name] = record->generation;
    index.last = std::max(index.last, record->generation);
  }
  GDN_TRY(into.sync());
  return index.records.size();
}

}  // namespace goondan::oauth
