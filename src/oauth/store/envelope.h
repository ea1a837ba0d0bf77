// A sealed text: `GDNO`, version, purpose, two zeros, key id, nonce, then what only the key opens.
// XChaCha20-Poly1305; the nonce is random, which 24 bytes allow for any number of texts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "oauth/secret.h"
#include "oauth/store/key_ring.h"

namespace goondan::oauth {

inline constexpr std::size_t kEnvelopeHead = 40;  // bytes before the sealed ones
inline constexpr std::size_t kEnvelopeTag = 16;

// Borrows the bytes that it was read from.
struct Envelope {
  KeyId key = {};
  std::string_view head;
  std::string_view sealed;
};

// `E_STORE_VERSION` if a newer version wrote it, `E_STORE_CORRUPT` if it is no envelope for
// `purpose`.
Result<Envelope> read_envelope(std::string_view bytes, Purpose purpose);

// `context` is not stored, but without the same one the text is not opened again: it ties a record
// to its name.
std::string seal(const Key& key, Purpose purpose, std::string_view context, std::string_view text);

// None if anything was changed, or if it is another key or context.
std::optional<Secret> unseal(const Key& key, Purpose purpose, std::string_view context,
                             const Envelope& envelope);

}  // namespace goondan::oauth
