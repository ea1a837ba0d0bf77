#include "schema/ecma_escape.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/utf8.h"
#include "schema/unicode_property.h"

namespace goondan::schema {
namespace {

constexpr std::string_view kSpaces =
    "\\t\\n\\v\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}"
    "\\x{3000}\\x{FEFF}";
constexpr std::string_view kNoSpaces =
    "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}"
    "\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}"
    "\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

Error escape_error(std::string_view message) {
  return {.code = ErrorCode::Schema, .message = std::string(message)};
}

bool is_high_surrogate(char32_t c) {
  return c >= 0xD800 && c <= 0xDBFF;
}
bool is_low_surrogate(char32_t c) {
  return c >= 0xDC00 && c <= 0xDFFF;
}

// Takes exactly `digits` hexadecimal digits.
std::optional<char32_t> take_hex(std::string_view& rest, std::size_t digits) {
  if (digits == 0 || digits > 8 || rest.size() < digits) return std::nullopt;
  std::uint32_t number = 0;
  const char* const first = &rest.front();
  const char* const last = first + digits;
  if (std::from_chars(first, last, number, 16).ptr != last) return std::nullopt;
  rest.remove_prefix(digits);
  return char32_t{number};
}

// The four digits or the braces after `\u`.
std::optional<char32_t> take_code_unit(std::string_view& rest) {
  if (!rest.starts_with('{')) return take_hex(rest, 4);
  const std::size_t end = rest.find('}');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view digits = rest.substr(1, end - 1);
  const auto code_point = take_hex(digits, digits.size());
  if (!code_point || *code_point > 0x10FFFF) return std::nullopt;
  rest.remove_prefix(end + 1);
  return code_point;
}

Result<Escape> read_unicode(std::string_view& rest) {
  const auto first = take_code_unit(rest);
  if (!first) return escape_error("'\\u' needs four hexadecimal digits or {...}");
  if (is_high_surrogate(*first) && rest.starts_with("\\u")) {
    std::string_view after = rest.substr(2);
    const auto second = take_code_unit(after);
    if (second && is_low_surrogate(*second)) {
      rest = after;
      return Escape(char32_t{0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00)});
    }
  }
  if (is_high_surrogate(*first) || is_low_surrogate(*first)) {
    return escape_error("half of a surrogate pair is no character; write \\u{...} instead");
  }
  return Escape(*first);
}

Result<Escape> read_property(std::string_view& rest, Negated negated) {
  const std::size_t end = rest.find('}');
  if (!rest.starts_with('{') || end == std::string_view::npos) {
    return escape_error("'\\p' needs the name of a Unicode property, e.g. \\p{Letter}");
  }
  const std::string_view name = rest.substr(1, end - 1);
  auto members = unicode_property(name, negated);
  if (!members) {
    return escape_error("the Unicode property '" + utf8::repaired(utf8::prefix(name, 60)) +
                        "' is not supported; general categories and scripts are");
  }
  rest.remove_prefix(end + 1);
  return Escape(CharacterSet{std::move(*members)});
}

Result<Escape> read_control(std::string_view& rest) {
  if (rest.empty() || std::isalpha(static_cast<unsigned char>(rest.front())) == 0) {
    return escape_error("'\\c' needs a letter");
  }
  const char letter = rest.front();
  rest.remove_prefix(1);
  return Escape(char32_t{static_cast<unsigned char>(letter)} % 32);
}

Result<Escape> read_hexadecimal(std::string_view& rest) {
  const auto code_point = take_hex(rest, 2);
  if (!code_point) return escape_error("'\\x' needs two hexadecimal digits");
  return Escape(*code_point);
}

// `\d` and the like, and the one-letter names of control characters.
std::optional<Escape> read_short(char32_t letter, EscapeIn where) {
  switch (letter) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return CharacterSet{std::string("\\") + static_cast<char>(letter)};
    case 's':
      return CharacterSet{std::string(kSpaces)};
    case 'S':
      return CharacterSet{std::string(kNoSpaces)};
    case 't':
      return U'\t';
    case 'n':
      return U'\n';
    case 'v':
      return U'\v';
    case 'f':
      return U'\f';
    case 'r':
      return U'\r';
    case 'b':
      if (where == EscapeIn::Class) return U'\b';
      return Assertion{"\\b"};
    case 'B':
      if (where == EscapeIn::Class) return std::nullopt;
      return Assertion{"\\B"};
    default:
      return std::nullopt;
  }
}

Result<Escape> read_identity(char32_t c, std::string_view rest) {
  if (c == '0' && (rest.empty() || std::isdigit(static_cast<unsigned char>(rest.front())) == 0)) {
    return Escape(char32_t{0});
  }
  if (c == 'k' || (c >= '0' && c <= '9')) {
    return escape_error("backreferences are not supported: patterns are matched in linear time");
  }
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
    std::string message = "the escape '\\";
    message += static_cast<char>(c);
    message += "' has no meaning in ECMA-262";
    return escape_error(message);
  }
  return Escape(c);
}

}  // namespace

char32_t take_character(std::string_view& rest) {
  const std::size_t length = utf8::sequence_length(rest);
  const auto byte = [&rest](std::size_t i) {
    return char32_t{static_cast<unsigned char>(rest[i])};
  };
  char32_t c = 0xFFFD;
  if (length == 1) c = byte(0);
  if (length == 2) c = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if (length == 3) c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (length == 4) {
    c = (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
  rest.remove_prefix(std::max<std::size_t>(length, 1));
  return c;
}

void append_literal(std::string& out, char32_t c) {
  const bool as_is = c < 0x80 && std::isalnum(static_cast<int>(c)) != 0;
  if (as_is || c >= 0x100) {
    utf8::append(out, c);
    return;
  }
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::uint32_t>(c), 16);
  out.append("\\x{").append(digits.data(), end.ptr).append("}");
}

Result<Escape> read_escape(std::string_view& rest, EscapeIn where) {
  if (rest.empty()) return escape_error("the pattern ends in a single backslash");
  const char32_t c = take_character(rest);
  if (const auto escape = read_short(c, where)) return *escape;
  switch (c) {
    case 'u':
      return read_unicode(rest);
    case 'x':
      return read_hexadecimal(rest);
    case 'c':
      return read_control(rest);
    case 'p':
      return read_property(rest, Negated::No);
    case 'P':
      return read_property(rest, Negated::Yes);
    default:
      return read_identity(c, rest);
  }
}

}  // namespace goondan::schema
