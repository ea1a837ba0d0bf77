#include "oauth/store/sealed_record.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <sodium.h>

#include "oauth/store/byte_fields.h"
#include "oauth/store/envelope.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kRecordStep = 256;
// Behind the text and its padding: generation and size of the text. They stand at the end so that
// the text, unsealed in place, begins where its memory does.
constexpr std::size_t kTrailer = sizeof(std::uint64_t) + sizeof(std::uint32_t);

Error too_long(std::string_view what, std::size_t size, std::size_t limit) {
  return {.code = ErrorCode::Limit,
          .message = std::string(what) + " of an OAuth record has " + std::to_string(size) +
                     " bytes; " + std::to_string(limit) + " are allowed"};
}

}  // namespace

Result<void> check_limits(const RecordName& name, const Secret& json) {
  if (name.app.size() > kMaxNamePart) return too_long("the app", name.app.size(), kMaxNamePart);
  if (name.key.size() > kMaxNamePart) return too_long("the key", name.key.size(), kMaxNamePart);
  if (json.size() > kMaxRecordText) return too_long("the text", json.size(), kMaxRecordText);
  return {};
}

std::string name_bytes(const RecordName& name) {
  std::string bytes;
  put_number(bytes, static_cast<std::uint8_t>(name.kind));
  put_text(bytes, name.app);
  put_text(bytes, name.key);
  return bytes;
}

std::string file_name(const Key& key, const RecordName& name) {
  const std::string bytes = name_bytes(name);
  const std::string_view part = key.part(Purpose::FileNames);
  std::array<char, crypto_generichash_BYTES> hash{};
  ::crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                       reinterpret_cast<const unsigned char*>(part.data()), part.size());
  return hex_of(std::string_view(hash.data(), hash.size()));
}

std::string seal_record(const Key& key, const RecordName& name, const Secret& json,
                        std::uint64_t generation) {
  const std::size_t size = padded(json.size() + kTrailer, kRecordStep);
  Secret text = Secret::of_size(size);
  std::memset(text.bytes().data(), 0, size);
  if (!json.empty()) std::memcpy(text.bytes().data(), json.reveal().data(), json.size());
  std::string trailer;
  put_number(trailer, generation);
  put_number(trailer, static_cast<std::uint32_t>(json.size()));
  trailer.copy(text.bytes().data() + size - kTrailer, kTrailer);
  return seal(key, Purpose::Record, name_bytes(name), text.reveal());
}

std::optional<Record> unseal_record(const Key& key, const RecordName& name,
                                    std::string_view bytes) {
  const Result<Envelope> envelope = read_envelope(bytes, Purpose::Record);
  if (!envelope.ok() || envelope->key != key.id()) return std::nullopt;
  std::optional<Secret> text = unseal(key, Purpose::Record, name_bytes(name), *envelope);
  if (!text || text->size() < kTrailer) return std::nullopt;
  std::string_view trailer = text->reveal().substr(text->size() - kTrailer);
  const auto generation = take_number<std::uint64_t>(trailer);
  const auto size = take_number<std::uint32_t>(trailer);
  if (!generation || !size || *size > text->size() - kTrailer) return std::nullopt;
  text->shorten(*size);
  return Record{.json = std::move(*text), .generation = *generation};
}

}  // namespace goondan::oauth
