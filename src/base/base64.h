// Base64 (RFC 4648), in both alphabets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace goondan {

enum class Base64Alphabet { Standard, Url };

// With padding, in one line.
std::string base64_encode(std::string_view bytes,
                          Base64Alphabet alphabet = Base64Alphabet::Standard);

// The bytes behind `text`, which may leave out its padding and hold line breaks; of either
// alphabet. Nothing if it is no base64.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace goondan
