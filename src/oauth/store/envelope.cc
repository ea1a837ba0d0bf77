#include "oauth/store/envelope.h"

#include <algorithm>
#include <array>
#include <sodium.h>

namespace goondan::oauth {
namespace {

constexpr std::string_view kMagic = "GDNO";
constexpr char kVersion = 1;
constexpr std::size_t kKeyIdAt = 8;
constexpr std::size_t kNonceAt = kKeyIdAt + sizeof(KeyId);
static_assert(kNonceAt + crypto_aead_xchacha20poly1305_ietf_NPUBBYTES == kEnvelopeHead);
static_assert(crypto_aead_xchacha20poly1305_ietf_ABYTES == kEnvelopeTag);
static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == Key::kSize);

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* octets(char* text) {
  return reinterpret_cast<unsigned char*>(text);
}

// Version, purpose, key id and context.
std::string bound_to(std::string_view head, std::string_view context) {
  return std::string(head.substr(0, kNonceAt)).append(context);
}

Error no_envelope(std::string_view why) {
  return {.code = ErrorCode::StoreCorrupt, .message = "it is damaged: " + std::string(why)};
}

}  // namespace

Result<Envelope> read_envelope(std::string_view bytes, Purpose purpose) {
  if (bytes.size() < kEnvelopeHead + kEnvelopeTag) return no_envelope("it is too short");
  if (!bytes.starts_with(kMagic)) return no_envelope("it does not begin as it should");
  if (bytes[4] > kVersion)
    return Error{.code = ErrorCode::StoreVersion,
                 .message = "a newer version wrote it (" + std::to_string(bytes[4]) + ")",
                 .suggestion = "use the version of gdn that wrote it"};
  if (bytes[4] != kVersion || bytes[5] != static_cast<char>(purpose) || bytes[6] != 0 ||
      bytes[7] != 0)
    return no_envelope("it is not of the right kind");
  Envelope envelope{.head = bytes.substr(0, kEnvelopeHead), .sealed = bytes.substr(kEnvelopeHead)};
  std::copy_n(bytes.data() + kKeyIdAt, envelope.key.size(), envelope.key.data());
  return envelope;
}

std::string seal(const Key& key, Purpose purpose, std::string_view context, std::string_view text) {
  std::string bytes(kEnvelopeHead + text.size() + kEnvelopeTag, '\0');
  kMagic.copy(bytes.data(), kMagic.size());
  bytes[4] = kVersion;
  bytes[5] = static_cast<char>(purpose);
  std::copy(key.id().begin(), key.id().end(), bytes.begin() + kKeyIdAt);
  ::randombytes_buf(bytes.data() + kNonceAt, kEnvelopeHead - kNonceAt);
  const std::string bound = bound_to(bytes, context);
  ::crypto_aead_xchacha20poly1305_ietf_encrypt(
      octets(bytes.data() + kEnvelopeHead), nullptr, octets(text), text.size(), octets(bound),
      bound.size(), nullptr, octets(bytes.data() + kNonceAt), octets(key.part(purpose)));
  return bytes;
}

std::optional<Secret> unseal(const Key& key, Purpose purpose, std::string_view context,
                             const Envelope& envelope) {
  // One byte more, so that an empty text has a place, too.
  Secret text = Secret::of_size(envelope.sealed.size() - kEnvelopeTag + 1);
  const std::string bound = bound_to(envelope.head, context);
  if (::crypto_aead_xchacha20poly1305_ietf_decrypt(
          octets(text.bytes().data()), nullptr, nullptr, octets(envelope.sealed),
          envelope.sealed.size(), octets(bound), bound.size(),
          octets(envelope.head.substr(kNonceAt)), octets(key.part(purpose))) != 0)
    return std::nullopt;
  text.shorten(envelope.sealed.size() - kEnvelopeTag);
  return text;
}

}  // namespace goondan::oauth
