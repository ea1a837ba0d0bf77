#include "oauth/store/key_ring.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <sodium.h>

namespace goondan::oauth {
namespace {

constexpr std::string_view kRingHead = "goondan-oauth-keys 1\n";
constexpr std::string_view kKdfContext = "gdnoauth";
static_assert(kKdfContext.size() == crypto_kdf_CONTEXTBYTES);
static_assert(Key::kSize == crypto_kdf_KEYBYTES);
constexpr std::size_t kParts = 4;
constexpr std::size_t kHexSize = 2 * Key::kSize;
constexpr std::size_t kIdHexSize = 2 * sizeof(KeyId);

const unsigned char* key_octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* key_octets(std::span<char> text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

std::optional<Key> key_from_hex(std::string_view text) {
  Secret bytes = Secret::of_size(Key::kSize);
  std::size_t size = 0;
  if (text.size() != kHexSize ||
      ::sodium_hex2bin(key_octets(bytes.bytes()), Key::kSize, text.data(), text.size(), nullptr,
                       &size, nullptr) != 0 ||
      size != Key::kSize)
    return std::nullopt;
  return Key(std::move(bytes));
}

// `<id> <key>`, both as hexadecimal digits. That they belong together shows that nothing is lost.
std::optional<Key> key_from_line(std::string_view line) {
  if (line.size() != kIdHexSize + 1 + kHexSize) return std::nullopt;
  std::optional<Key> key = key_from_hex(line.substr(kIdHexSize + 1));
  if (!key || hex_of(key->id()) != line.substr(0, kIdHexSize)) return std::nullopt;
  return key;
}

Error no_key(std::string_view file) {
  return {.code = ErrorCode::StoreKey,
          .message = "'" + std::string(file) + "' holds no key of the OAuth store",
          .suggestion =
              "put the right file back; a new key is 64 hexadecimal digits, e.g. of "
              "`openssl rand -hex 32`"};
}

}  // namespace

std::string hex_of(std::string_view bytes) {
  std::string text(2 * bytes.size() + 1, '\0');
  ::sodium_bin2hex(text.data(), text.size(), key_octets(bytes), bytes.size());
  text.pop_back();
  return text;
}

std::string hex_of(const KeyId& id) {
  return hex_of(std::string_view(id.data(), id.size()));
}

Key::Key(Secret bytes) : bytes_(std::move(bytes)), parts_(Secret::of_size(kParts * kSize)) {
  for (std::size_t i = 0; i < kParts; ++i)
    ::crypto_kdf_derive_from_key(key_octets(parts_.bytes().subspan(i * kSize)), kSize, i + 1,
                                 kKdfContext.data(), key_octets(bytes_.reveal()));
  std::memcpy(id_.data(), part(Purpose::Id).data(), id_.size());
}

Key Key::random() {
  Secret bytes = Secret::of_size(kSize);
  ::randombytes_buf(bytes.bytes().data(), kSize);
  return Key(std::move(bytes));
}

std::string_view Key::part(Purpose purpose) const {
  return parts_.reveal().substr((static_cast<std::size_t>(purpose) - 1) * kSize, kSize);
}

Result<KeyRing> KeyRing::parse(std::string_view text, std::string_view file) {
  KeyRing ring;
  const auto keep = [&ring](std::optional<Key> key) {
    if (key) ring.add(std::make_shared<const Key>(std::move(*key)));
    return key.has_value();
  };
  if (text.starts_with(kRingHead)) {
    for (text.remove_prefix(kRingHead.size()); !text.empty();) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos || !keep(key_from_line(text.substr(0, end))))
        return no_key(file);
      text.remove_prefix(end + 1);
    }
  } else if (text.size() == Key::kSize) {
    keep(Key(Secret(text)));
  } else {
    if (text.ends_with('\n')) text.remove_suffix(1);
    keep(key_from_hex(text));
  }
  if (ring.keys_.empty()) return no_key(file);
  return ring;
}

KeyRing KeyRing::of(std::shared_ptr<const Key> key) {
  KeyRing ring;
  ring.add(std::move(key));
  return ring;
}

Secret KeyRing::format() const {
  std::string text(kRingHead);
  text.reserve(text.size() + keys_.size() * (kIdHexSize + kHexSize + 2));  // no copy is left behind
  for (const std::shared_ptr<const Key>& key : keys_) {
    text += hex_of(key->id()) + " ";
    std::string digits = hex_of(key->bytes().reveal());
    text += digits;
    text += '\n';
    ::sodium_memzero(digits.data(), digits.size());
  }
  return Secret::taken_from(text);
}

std::shared_ptr<const Key> KeyRing::find(const KeyId& id) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&id](const auto& key) { return key->id() == id; });
  return found == keys_.end() ? nullptr : *found;
}

}  // namespace goondan::oauth
