// What a store knows from its index.
#include <utility>

#include "oauth/store/envelope.h"
#include "oauth/store/store_state.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kMaxIndexFile = std::size_t{64} << 20;
// So often may the key change while an index is read.
constexpr int kMaxLoads = 8;

Error index_error(const std::filesystem::path& folder, std::string_view why) {
  return {
      .code = ErrorCode::StoreCorrupt,
      .message = "the index of the OAuth store in '" + folder.string() + "' " + std::string(why),
      .suggestion = "put a copy of the whole folder back, or remove it and authorize again"};
}

Error wrong_key(const std::filesystem::path& key, const KeyId& id) {
  return {.code = ErrorCode::StoreKey,
          .message = "'" + key.string() +
                     "' is not the key of this OAuth store, whose key has id " + hex_of(id),
          .suggestion =
              "put the right key file there, or name it with GOONDAN_OAUTH_KEY_FILE; without it, "
              "remove the store's folder and authorize again"};
}

}  // namespace

std::string records_folder(const KeyId& key) {
  return std::string(kRecordsPrefix) + hex_of(key);
}

Result<std::string> Store::State::index_head() {
  auto content = GDN_TRY(folder_.read(kIndexFile, kEnvelopeHead));
  if (!content) return index_error(folder_.path(), "is gone");
  return std::move(content->bytes);
}

Result<ViewPtr> Store::State::view() {
  const std::string head = GDN_TRY(index_head());
  {
    const std::lock_guard lock(mutex_);
    if (view_ && view_->head == head) return view_;
  }
  for (int i = 0; i < kMaxLoads; ++i) {
    auto loaded = load_view();
    // Between two of its reads, another process may have changed the key.
    if (loaded.ok() && ((*loaded)->records || GDN_TRY(index_head()) == (*loaded)->head)) {
      const std::lock_guard lock(mutex_);
      view_ = *loaded;
      return view_;
    }
    if (!loaded.ok() && (i + 1 == kMaxLoads || GDN_TRY(index_head()) == head)) return loaded;
  }
  return index_error(folder_.path(), "changes faster than it can be read");
}

Result<ViewPtr> Store::State::load_view() {
  const auto content = GDN_TRY(folder_.read(kIndexFile, kMaxIndexFile));
  if (!content) return index_error(folder_.path(), "is gone");
  const Result<Envelope> envelope = read_envelope(content->bytes, Purpose::Index);
  if (!envelope.ok() && envelope.error().code == ErrorCode::StoreVersion) return envelope.error();
  if (!envelope.ok()) return index_error(folder_.path(), "is damaged");
  const std::shared_ptr<const Key> key = GDN_TRY(key_of_index(envelope->key));
  const std::optional<Secret> text = unseal(*key, Purpose::Index, "index", *envelope);
  std::optional<Index> index = text ? decode_index(text->reveal()) : std::nullopt;
  if (!index) return index_error(folder_.path(), "is damaged");
  std::optional<PrivateFolder> records = GDN_TRY(folder_.inner(records_folder(key->id())));
  return std::make_shared<const View>(View{.head = std::string(envelope->head),
                                           .index = std::move(*index),
                                           .key = key,
                                           .records = std::move(records)});
}

Result<std::shared_ptr<const Key>> Store::State::key_of_index(const KeyId& id) {
  {
    const std::lock_guard lock(mutex_);
    if (std::shared_ptr<const Key> key = ring_ ? ring_->find(id) : nullptr) return key;
  }
  const auto ring = std::make_shared<const KeyRing>(GDN_TRY(read_ring()));
  std::shared_ptr<const Key> key = ring->find(id);
  if (!key) return wrong_key(key_.file, id);
  const std::lock_guard lock(mutex_);
  ring_ = ring;
  return key;
}

}  // namespace goondan::oauth
