#include "builtin/json_query/string_text.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace goondan::builtin::json_query {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::size_t kUnitLength = 6;  // of \uXXXX

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

char32_t unit_at(std::string_view raw) {
  unsigned unit = 0;
  std::from_chars(raw.data() + 2, raw.data() + kUnitLength, unit, 16);
  return unit;
}

struct Escape {
  char32_t code_point;
  std::size_t length;
};

Escape wide_escape(std::string_view raw) {
  const char32_t unit = unit_at(raw);
  if (is_high_surrogate(unit) && raw.substr(kUnitLength).starts_with("\\u")) {
    const char32_t second = unit_at(raw.substr(kUnitLength));
    if (is_low_surrogate(second)) {
      return {.code_point = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00),
              .length = 2 * kUnitLength};
    }
  }
  const bool half = is_high_surrogate(unit) || is_low_surrogate(unit);
  return {.code_point = half ? kReplacement : unit, .length = kUnitLength};
}

Escape short_escape(char32_t code_point) {
  return {.code_point = code_point, .length = 2};
}

// The escape that `raw` begins with.
Escape first_escape(std::string_view raw) {
  switch (raw[1]) {
    case 'u':
      return wide_escape(raw);
    case 'b':
      return short_escape(U'\b');
    case 'f':
      return short_escape(U'\f');
    case 'n':
      return short_escape(U'\n');
    case 'r':
      return short_escape(U'\r');
    case 't':
      return short_escape(U'\t');
    default:
      return short_escape(static_cast<unsigned char>(raw[1]));
  }
}

}  // namespace

bool has_escapes(std::string_view raw) {
  return raw.find('\\') != std::string_view::npos;
}

std::string unescaped(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  while (true) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    text += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) return text;
    const Escape escape = first_escape(raw);
    utf8::append(text, escape.code_point);
    raw.remove_prefix(escape.length);
  }
}

bool means(std::string_view raw, std::string_view text) {
  return has_escapes(raw) ? unescaped(raw) == text : raw == text;
}

std::size_t count_characters(std::string_view raw) {
  std::size_t count = 0;
  while (!raw.empty()) {
    const bool escape = raw.front() == '\\';
    // Bytes that continue a character do not count.
    count += escape || (static_cast<unsigned char>(raw.front()) & 0xC0) != 0x80 ? 1 : 0;
    raw.remove_prefix(escape ? first_escape(raw).length : 1);
  }
  return count;
}

}  // namespace goondan::builtin::json_query
