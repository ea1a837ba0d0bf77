// The key file of a store.
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <utility>

#include "oauth/store/folder_access.h"
#include "oauth/store/store_state.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kMaxKeyFile = 65'536;
constexpr std::string_view kNewKeyPrefix = ".goondan-key-";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.parent_path().empty() ? "." : file.parent_path();
}

Error missing_key(const std::filesystem::path& file, const std::filesystem::path& folder) {
  return {
      .code = ErrorCode::StoreKey,
      .message = "the key '" + file.string() + "' of the OAuth store is missing",
      .suggestion = "put it back, or name it with GOONDAN_OAUTH_KEY_FILE; without it, remove '" +
                    folder.string() + "' and authorize again"};
}

}  // namespace

KeySource default_key_source(const std::filesystem::path& folder) {
  if (const std::string file = variable("GOONDAN_OAUTH_KEY_FILE"); !file.empty())
    return {.file = file};
  if (const std::string credentials = variable("CREDENTIALS_DIRECTORY"); !credentials.empty()) {
    const std::filesystem::path file = std::filesystem::path(credentials) / "goondan-oauth-key";
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return {.file = file};
  }
  return {.file = folder / "key"};
}

Result<KeyRing> Store::State::read_ring() {
  const PrivateFolder folder = GDN_TRY(PrivateFolder::foreign(calls_, folder_of(key_.file)));
  auto content = GDN_TRY(folder.read(key_.file.filename().string(), kMaxKeyFile));
  if (!content) return missing_key(key_.file, folder_.path());
  const Secret text = Secret::taken_from(content->bytes);
  GDN_TRY(check_key_file(key_.file, content->about));
  return KeyRing::parse(text.reveal(), key_.file.string());
}

Result<void> Store::State::write_ring(const KeyRing& ring) {
  const PrivateFolder folder = GDN_TRY(PrivateFolder::foreign(calls_, folder_of(key_.file)));
  StagedFile file = GDN_TRY(StagedFile::write(folder, ring.format().reveal(), kNewKeyPrefix));
  GDN_TRY(file.place(key_.file.filename().string()));
  const std::lock_guard lock(mutex_);
  ring_ = std::make_shared<const KeyRing>(ring);
  return {};
}

Result<void> Store::State::begin_keys() {
  const PrivateFolder folder = GDN_TRY(PrivateFolder::foreign(calls_, folder_of(key_.file)));
  GDN_TRY(folder.remove_all(kNewKeyPrefix));
  if (folder.has(key_.file.filename().string())) return {};
  // A new key would make unreadable for ever what the lost one has sealed.
  if (folder_.has(kIndexFile) || GDN_TRY(has_records()))
    return missing_key(key_.file, folder_.path());
  return write_ring(KeyRing::of(std::make_shared<const Key>(Key::random())));
}

// Not dropped in time is no reason to refuse work: the next process that opens the store tries
// again.
void Store::State::drop_old_keys(const Key& in_use) {
  const Result<KeyRing> ring = read_ring();
  if (!ring.ok() || ring->size() == 1 || ring->newest()->id() != in_use.id()) return;
  const Result<void> written = write_ring(KeyRing::of(ring->newest()));
  if (!written.ok()) warn("old keys of the OAuth store are kept: " + written.error().message);
}

}  // namespace goondan::oauth
