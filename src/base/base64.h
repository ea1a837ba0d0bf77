// Base64 (RFC 4648), in both alphabets.
#pragma once

#include <string>
#include <string_view>

namespace goondan {

enum class Base64Alphabet { Standard, Url };

// With padding, in one line.
std::string base64_encode(std::string_view bytes,
                          Base64Alphabet alphabet = Base64Alphabet::Standard);

}  // namespace goondan
