#include "oauth/store/index.h"

#include <algorithm>
#include <sodium.h>

#include "oauth/store/byte_fields.h"
#include "oauth/store/envelope.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kIndexStep = 1024;  // its size tells little about the number of records

std::optional<RecordKind> kind_of(std::uint8_t number) {
  for (const RecordKind kind : {RecordKind::Grant, RecordKind::Session})
    if (static_cast<std::uint8_t>(kind) == number) return kind;
  return std::nullopt;
}

// Takes one record from the front of `bytes` into `index`; false if there is none.
bool take_record(std::string_view& bytes, Index& index) {
  const auto number = take_number<std::uint8_t>(bytes);
  const auto kind = number ? kind_of(*number) : std::nullopt;
  const auto app = take_text(bytes);
  const auto key = app ? take_text(bytes) : std::nullopt;
  const auto generation = key ? take_number<std::uint64_t>(bytes) : std::nullopt;
  if (!kind || !generation || *generation > index.last) return false;
  RecordName name{.kind = *kind, .app = std::string(*app), .key = std::string(*key)};
  return index.records.emplace(std::move(name), *generation).second;
}

}  // namespace

std::string encode_index(const Index& index) {
  std::string bytes(index.lock_key.data(), index.lock_key.size());
  put_number(bytes, index.last);
  put_number(bytes, static_cast<std::uint32_t>(index.records.size()));
  for (const auto& [name, generation] : index.records) {
    put_number(bytes, static_cast<std::uint8_t>(name.kind));
    put_text(bytes, name.app);
    put_text(bytes, name.key);
    put_number(bytes, generation);
  }
  bytes.resize(padded(bytes.size(), kIndexStep));
  return bytes;
}

std::optional<Index> decode_index(std::string_view bytes) {
  Index index;
  const auto lock_key = take_bytes(bytes, index.lock_key.size());
  const auto last = take_number<std::uint64_t>(bytes);
  const auto count = take_number<std::uint32_t>(bytes);
  if (!lock_key || !last || !count) return std::nullopt;
  std::copy(lock_key->begin(), lock_key->end(), index.lock_key.begin());
  index.last = *last;
  for (std::uint32_t i = 0; i < *count; ++i)
    if (!take_record(bytes, index)) return std::nullopt;
  if (bytes.find_first_not_of('\0') != std::string_view::npos) return std::nullopt;
  return index;
}

std::string seal_index(const Key& key, const Index& index) {
  return seal(key, Purpose::Index, "index", encode_index(index));
}

Index new_index() {
  Index index;
  ::randombytes_buf(index.lock_key.data(), index.lock_key.size());
  return index;
}

}  // namespace goondan::oauth
