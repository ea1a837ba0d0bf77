// How a store works inside.
//
// In its folder: `key` (the ring, unless it is elsewhere), `index` (sealed), `records-<key id>`
// with a file for each record, `quarantine`, and `lock`. Whatever is written is written beside its
// place, made durable and then put there. A record that is new goes into the index first, one that
// changes after its file: so at any moment the old or the new record is found, and a record that
// the index does not know was never the store's. The index is sealed with the key in use; a new one
// sealed with another key, put in place at once, is what changes keys.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oauth/store/index.h"
#include "oauth/store/key_ring.h"
#include "oauth/store/locks.h"
#include "oauth/store/private_folder.h"
#include "oauth/store/staged_file.h"
#include "oauth/store/store.h"

namespace goondan::oauth {

inline constexpr const char* kIndexFile = "index";
inline constexpr const char* kQuarantine = "quarantine";
inline constexpr std::string_view kRecordsPrefix = "records-";

std::string records_folder(const KeyId& key);

// What the sealed index says, with what it leads to. Immutable; shared as long as it is the one on
// disk.
struct View {
  std::string head;  // of the sealed index: every other index has another nonce
  Index index;
  std::shared_ptr<const Key> key;
  std::optional<PrivateFolder> records;  // none: somebody removed it
};
using ViewPtr = std::shared_ptr<const View>;

class Store::State {
 public:
  State(PrivateFolder folder, KeySource key, StoreHooks hooks, std::shared_ptr<FileCalls> calls);

  // Makes key and index of a new store, and ends what a killed process has left half done.
  Result<void> begin();

  Result<std::optional<Record>> get(const RecordName& name);
  Result<std::uint64_t> put(const RecordName& name, const Secret& json, std::uint64_t expected);
  Result<void> remove(const RecordName& name);
  Result<std::vector<RecordName>> list(RecordKind kind);
  Result<RecordLock> lock(const RecordName& name, Deadline deadline, const std::stop_token& stop);
  Result<std::size_t> rotate_key();
  Result<StoreHealth> check();

 private:
  // Of the index that is on disk now.
  Result<ViewPtr> view();
  Result<std::string> index_head();
  Result<ViewPtr> load_view();
  Result<std::shared_ptr<const Key>> key_of_index(const KeyId& id);

  // The rest is for whoever holds the writer's lock.
  Result<RecordLock> writer_lock();
  // A view whose folder of records is there.
  Result<ViewPtr> view_to_write();
  // The record of `name`; none, and its file moved aside, if it cannot be trusted.
  Result<std::optional<Record>> judged(const View& now, const RecordName& name);
  Result<void> place(StagedFile& first, const std::string& first_name, StagedFile& second,
                     const std::string& second_name);
  Result<void> write_index(const Key& key, const Index& index);
  Result<void> take_away(const View& now, const std::string& file, const Index& index);

  Result<void> begin_keys();
  Result<void> begin_index();
  Result<bool> has_records();
  Result<KeyRing> read_ring();
  Result<void> write_ring(const KeyRing& ring);
  // Removes what no one needs: unfinished files, folders of records of other keys, old keys.
  Result<void> tidy(const View& now);
  void drop_old_keys(const Key& in_use);

  Result<std::size_t> seal_all(const View& now, const Key& key, const PrivateFolder& into,
                               Index& index);
  Result<Index> checked_index(const View& now, StoreHealth& health);
  Result<void> move_strangers(const View& now);

  void quarantine(const PrivateFolder& folder, const std::string& file, std::string_view why);
  void warn(std::string_view text) const;

  std::shared_ptr<FileCalls> calls_;
  PrivateFolder folder_;
  KeySource key_;
  StoreHooks hooks_;
  std::shared_ptr<LockTable> locks_ = std::make_shared<LockTable>();

  std::mutex mutex_;  // of what follows
  ViewPtr view_;
  std::shared_ptr<const KeyRing> ring_;
};

}  // namespace goondan::oauth
