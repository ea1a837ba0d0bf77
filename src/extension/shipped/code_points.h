// UTF-8 as code points and back.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace goondan::shipped {

// Each ill-formed byte becomes a space.
inline std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8::sequence_length(text);
    const auto byte = [&text](std::size_t at) {
      return static_cast<char32_t>(static_cast<unsigned char>(text[at]));
    };
    char32_t point = U' ';
    if (length == 1) point = byte(0);
    if (length == 2) point = (byte(0) & 0x1fU) << 6U;
    if (length == 3) point = (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U;
    if (length == 4) {
      point = (byte(0) & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U;
    }
    if (length > 1) point |= byte(length - 1) & 0x3fU;
    points += point;
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return points;
}

inline std::string to_utf8(std::u32string_view points) {
  std::string text;
  for (const char32_t point : points)
    utf8::append(text, point);
  return text;
}

}  // namespace goondan::shipped
