// Base64 as OAuth and JOSE write it: the alphabet for URLs, no padding, nothing else between.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base64.h"

namespace goondan::oauth {

inline std::string unpadded_base64(std::string_view bytes) {
  std::string text = base64_encode(bytes, Base64Alphabet::Url);
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

// Nothing if `text` has any other character, or is cut.
inline std::optional<std::string> from_unpadded_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (text.find_first_not_of(kAlphabet) != std::string_view::npos) return std::nullopt;
  return base64_decode(text);
}

}  // namespace goondan::oauth
