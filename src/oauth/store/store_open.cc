// Opening a store, and ending what a killed process has left half done.
#include <algorithm>
#include <chrono>
#include <sodium.h>
#include <utility>

#include "oauth/store/store_state.h"
#include "os/core_files.h"

namespace goondan::oauth {
namespace {

// Writers are done within milliseconds; one that was stopped must not stop all others for ever.
constexpr std::chrono::seconds kWriterPatience{30};

Error without_index(const std::filesystem::path& folder) {
  return {.code = ErrorCode::StoreCorrupt,
          .message = "the OAuth store in '" + folder.string() + "' has records but no index",
          .suggestion = "put a copy of the whole folder back, or remove it and authorize again"};
}

}  // namespace

Store::State::State(PrivateFolder folder, KeySource key, StoreHooks hooks,
                    std::shared_ptr<FileCalls> calls)
    : calls_(std::move(calls)),
      folder_(std::move(folder)),
      key_(std::move(key)),
      hooks_(std::move(hooks)) {}

Result<void> Store::State::begin() {
  const RecordLock writer = GDN_TRY(writer_lock());
  GDN_TRY(begin_keys());
  GDN_TRY(begin_index());
  const ViewPtr now = GDN_TRY(view_to_write());
  return tidy(*now);
}

Result<RecordLock> Store::State::writer_lock() {
  return hold_lock(locks_, folder_, kWriterLock, Clock::now() + kWriterPatience, {});
}

Result<bool> Store::State::has_records() {
  const std::vector<std::string> names = GDN_TRY(folder_.names());
  for (const std::string& name : names) {
    if (!name.starts_with(kRecordsPrefix)) continue;
    const std::optional<PrivateFolder> records = GDN_TRY(folder_.inner(name));
    if (records && !GDN_TRY(records->names()).empty()) return true;
  }
  return false;
}

Result<void> Store::State::begin_index() {
  if (folder_.has(kIndexFile)) return {};
  if (GDN_TRY(has_records())) return without_index(folder_.path());
  const KeyRing ring = GDN_TRY(read_ring());
  return write_index(*ring.newest(), new_index());
}

Result<ViewPtr> Store::State::view_to_write() {
  ViewPtr now = GDN_TRY(view());
  if (now->records) return now;
  (void)GDN_TRY(folder_.make_inner(records_folder(now->key->id())));
  {
    const std::lock_guard lock(mutex_);
    view_.reset();
  }
  return view();
}

Result<void> Store::State::tidy(const View& now) {
  GDN_TRY(folder_.remove_all(kNewFilePrefix));
  GDN_TRY(now.records->remove_all(kNewFilePrefix));
  const std::string in_use = records_folder(now.key->id());
  const std::vector<std::string> names = GDN_TRY(folder_.names());
  for (const std::string& name : names)
    if (name.starts_with(kRecordsPrefix) && name != in_use) GDN_TRY(folder_.remove_inner(name));
  drop_old_keys(*now.key);
  return {};
}

Result<std::unique_ptr<Store>> Store::open(std::filesystem::path folder, KeySource key,
                                           StoreHooks hooks) {
  if (::sodium_init() < 0)
    return Error{.code = ErrorCode::Internal, .message = "libsodium cannot be used"};
  os::forbid_core_files();  // a token is in many places of memory while it is used
  std::shared_ptr<FileCalls> calls = hooks.files ? hooks.files : std::make_shared<FileCalls>();
  PrivateFolder opened = GDN_TRY(PrivateFolder::make(calls, folder));
  auto state = std::make_unique<State>(std::move(opened), std::move(key), std::move(hooks),
                                       std::move(calls));
  GDN_TRY(state->begin());
  return std::unique_ptr<Store>(new Store(std::move(state)));
}

}  // namespace goondan::oauth
