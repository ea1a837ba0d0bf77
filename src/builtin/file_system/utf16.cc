#include "builtin/file_system/utf16.h"

#include "base/utf8.h"

namespace goondan::builtin::file_system {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kFirstHigh = 0xD800;
constexpr char32_t kFirstLow = 0xDC00;
constexpr char32_t kLastLow = 0xDFFF;
constexpr char32_t kFirstPair = 0x10000;

bool is_high(char32_t unit) {
  return unit >= kFirstHigh && unit < kFirstLow;
}

bool is_low(char32_t unit) {
  return unit >= kFirstLow && unit <= kLastLow;
}

char32_t unit_at(std::string_view bytes, std::size_t index) {
  const auto low = static_cast<unsigned char>(bytes[index]);
  const auto high = static_cast<unsigned char>(bytes[index + 1]);
  return static_cast<char32_t>(high << 8 | low);
}

void append_unit(std::string& bytes, char32_t unit) {
  bytes += static_cast<char>(unit & 0xFF);
  bytes += static_cast<char>(unit >> 8);
}

char32_t decode_one(std::string_view text, std::size_t length) {
  const auto lead = static_cast<unsigned char>(text[0]);
  // The bits of the first byte that count: all of one byte, five, four or three of several.
  char32_t c = length == 1 ? lead : lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i)
    c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  return c;
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    const std::size_t length = utf8::sequence_length(text);
    points += length == 0 ? kReplacement : decode_one(text, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return points;
}

std::string from_utf16le(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const char32_t unit = unit_at(bytes, i);
    const bool more = i + 3 < bytes.size();
    if (is_high(unit) && more && is_low(unit_at(bytes, i + 2))) {
      const char32_t low = unit_at(bytes, i + 2);
      utf8::append(text, kFirstPair + ((unit - kFirstHigh) << 10) + (low - kFirstLow));
      i += 2;
    } else if (!is_high(unit) || more) {
      utf8::append(text, is_high(unit) || is_low(unit) ? kReplacement : unit);
    }
  }
  return text;
}

std::string to_utf16le(std::string_view text) {
  std::string bytes;
  for (const char32_t c : code_points(text)) {
    if (c < kFirstPair) {
      append_unit(bytes, c);
    } else {
      append_unit(bytes, kFirstHigh + ((c - kFirstPair) >> 10));
      append_unit(bytes, kFirstLow + ((c - kFirstPair) & 0x3FF));
    }
  }
  return bytes;
}

}  // namespace goondan::builtin::file_system
