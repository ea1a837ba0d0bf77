// SHA-256 (FIPS 180-4), for names that must not collide and texts that must not change unseen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace goondan {

// The first `digits` (at most 64) lower-case hex digits of the hash of `text`.
std::string sha256_hex(std::string_view text, std::size_t digits);

}  // namespace goondan
