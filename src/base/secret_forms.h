// How a secret may be written: as it is, and in the encodings that requests, logs and programs put
// it into without anybody meaning to hide it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace goondan {

// Longer secrets are treated as several of at most this length, so that no form is unbounded.
inline constexpr std::size_t kMaxSecretPiece = 4096;

// All forms of `secret`, sorted, each once and none shorter than `kMinSecretBytes`:
// - raw, and without white space around it;
// - base64 and base64url. Where a secret stands inside a longer text, its first and last characters
//   depend on the neighbours; the form is what is the same in each of the three alignments;
// - hex in both cases;
// - percent-encoded: what must be, what browsers and forms encode, and every byte;
// - as JSON writes it: with and without `\/` and `\u00e9`.
std::vector<std::string> secret_forms(std::string_view secret);

}  // namespace goondan
