// The words of JSON: strings, numbers, names. Passes them in a document and checks every byte.
//
// The `pass_` functions take the place of what is passed, return the place behind it, and null if
// it is wrong. They may read the byte behind the document, a NUL, which fits nowhere. All are
// `inline`: megabytes go through them, a few bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goondan/json.h>

#include "base/byte_block.h"
#include "base/utf8.h"

namespace goondan::builtin::json_query {

// What is wrong with a document.
enum class Problem : std::uint8_t {
  None,
  NoValue,
  NoKey,
  NoColon,
  NoCommaOrBracket,
  NoCommaOrBrace,
  NoDigit,
  UnknownEscape,
  NoHexDigits,
  ControlCharacter,
  IllFormed,
  TrailingText,
  TooDeep,
};

// Borrows the document. Confined to one call.
class Lexer {
 public:
  // A `JsonString`, and not any text, because a NUL stands behind its last byte.
  explicit Lexer(const JsonString& document)
      : begin_(document.data()), end_(begin_ + document.size()) {}

  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] const char* failed_at() const { return failed_at_; }
  [[nodiscard]] Problem problem() const { return problem_; }

  static const char* pass_space(const char* p);
  static bool begins_number(char c) { return c == '-' || is_digit(c); }

  // A key, and the colon behind it.
  const char* pass_key(const char* p);

  // A string, a number or a name.
  const char* pass_scalar(const char* p);

  // Notes what is wrong at `p`; null.
  const char* fail(const char* p, Problem problem);

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_hexadecimal(char c);
  static bool is_wide(char c) { return static_cast<unsigned char>(c) >= 0x80; }
  static bool is_plain(char c);
  static bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

  const char* pass_word(const char* p, std::string_view word);
  const char* pass_number(const char* p);
  const char* pass_digits(const char* p);
  const char* pass_string(const char* p);
  [[nodiscard]] const char* pass_plain(const char* p) const;
  const char* pass_escape(const char* p);
  const char* pass_wide(const char* p);

  const char* begin_;
  const char* end_;
  const char* failed_at_ = begin_;
  Problem problem_ = Problem::None;
};

inline bool Lexer::is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

inline bool Lexer::is_plain(char c) {
  return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\';
}

inline const char* Lexer::pass_space(const char* p) {
  while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')
    ++p;
  return p;
}

inline const char* Lexer::fail(const char* p, Problem problem) {
  failed_at_ = p;
  problem_ = problem;
  return nullptr;
}

inline const char* Lexer::pass_key(const char* p) {
  if (*p != '"') return fail(p, Problem::NoKey);
  p = pass_string(p);
  if (p == nullptr) return nullptr;
  p = pass_space(p);
  return *p == ':' ? p + 1 : fail(p, Problem::NoColon);
}

inline const char* Lexer::pass_scalar(const char* p) {
  switch (*p) {
    case '"':
      return pass_string(p);
    case 't':
      return pass_word(p, "true");
    case 'f':
      return pass_word(p, "false");
    case 'n':
      return pass_word(p, "null");
    default:
      return begins_number(*p) ? pass_number(p) : fail(p, Problem::NoValue);
  }
}

inline const char* Lexer::pass_word(const char* p, std::string_view word) {
  if (!std::string_view(p, end_).starts_with(word)) return fail(p, Problem::NoValue);
  return p + word.size();
}

inline const char* Lexer::pass_digits(const char* p) {
  if (!is_digit(*p)) return fail(p, Problem::NoDigit);
  while (is_digit(*p))
    ++p;
  return p;
}

inline const char* Lexer::pass_number(const char* p) {
  if (*p == '-') ++p;
  p = *p == '0' ? p + 1 : pass_digits(p);
  if (p != nullptr && *p == '.') p = pass_digits(p + 1);
  if (p == nullptr || (*p != 'e' && *p != 'E')) return p;
  ++p;
  if (*p == '+' || *p == '-') ++p;
  return pass_digits(p);
}

inline const char* Lexer::pass_string(const char* p) {
  ++p;
  while (p != nullptr) {
    p = pass_plain(p);
    if (*p == '"') return p + 1;
    if (*p == '\\') {
      p = pass_escape(p);
    } else {
      p = is_wide(*p) ? pass_wide(p) : fail(p, Problem::ControlCharacter);
    }
  }
  return nullptr;
}

inline const char* Lexer::pass_plain(const char* p) const {
  for (; static_cast<std::size_t>(end_ - p) >= ByteBlock::kSize; p += ByteBlock::kSize) {
    const ByteBlock block(p);
    const ByteBlock::Mask special =
        block.equal_to('"') | block.equal_to('\\') | block.control_or_wide();
    if (special != 0) return p + first_of(special);
  }
  while (is_plain(*p))
    ++p;
  return p;
}

// A surrogate may stand alone: JavaScript writes such escapes, and reading them as U+FFFD is better
// than refusing the whole document.
inline const char* Lexer::pass_escape(const char* p) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  const char c = p[1];
  if (c != 'u') {
    return c != '\0' && kEscapes.find(c) != kEscapes.npos ? p + 2 : fail(p, Problem::UnknownEscape);
  }
  for (int i = 2; i < 6; ++i) {
    if (!is_hexadecimal(p[i])) return fail(p, Problem::NoHexDigits);
  }
  return p + 6;
}

// Characters that are not ASCII. Those of three bytes that can be no overlong form are the most
// frequent; the rest is for `utf8`.
inline const char* Lexer::pass_wide(const char* p) {
  while (is_wide(*p)) {
    const auto lead = static_cast<unsigned char>(*p);
    const bool three = lead > 0xE0 && lead < 0xF0 && continues(p[1]) && continues(p[2]);
    if (three && (lead != 0xED || static_cast<unsigned char>(p[1]) < 0xA0)) {
      p += 3;
      continue;
    }
    const std::size_t length = utf8::sequence_length({p, end_});
    if (length == 0) return fail(p, Problem::IllFormed);
    p += length;
  }
  return p;
}

}  // namespace goondan::builtin::json_query
