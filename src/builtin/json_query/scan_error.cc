#include "builtin/json_query/scan_error.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "builtin/json_query/scanner.h"

namespace goondan::builtin::json_query {
namespace {

std::string place(std::string_view document, std::size_t position) {
  const std::string_view before = document.substr(0, position);
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(utf8::length(before.substr(line_start)) + 1);
}

std::string hexadecimal(unsigned value, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (std::size_t i = digits; i-- > 0;)
    text += kDigits[(value >> (4 * i)) & 0xF];
  return text;
}

// What stands at the place, in a form that can be shown.
std::string found(std::string_view rest) {
  if (rest.empty()) return "the text ends";
  const std::size_t length = utf8::sequence_length(rest);
  const auto byte = static_cast<unsigned char>(rest.front());
  if (length == 0) return "found the byte 0x" + hexadecimal(byte, 2);
  if (length == 1 && (byte < 0x20 || byte == 0x7F)) return "found U+" + hexadecimal(byte, 4);
  return "found '" + std::string(rest.substr(0, length)) + "'";
}

// What the grammar asks for, where it is simply that which is missing.
std::string_view expected(Problem problem) {
  switch (problem) {
    case Problem::NoValue:
      return "a value";
    case Problem::NoKey:
      return "a key in double quotes";
    case Problem::NoColon:
      return "':' after the key";
    case Problem::NoCommaOrBracket:
      return "',' or ']'";
    case Problem::NoCommaOrBrace:
      return "',' or '}'";
    case Problem::NoDigit:
      return "a digit";
    case Problem::None:
    case Problem::UnknownEscape:
    case Problem::NoHexDigits:
    case Problem::ControlCharacter:
    case Problem::IllFormed:
    case Problem::TrailingText:
    case Problem::TooDeep:
      break;
  }
  return {};
}

std::string what(std::string_view rest, Problem problem) {
  if (problem == Problem::ControlCharacter) {
    if (rest.empty()) return "the text ends inside a string";
    return found(rest) + " inside a string; write it as an escape such as \\n or \\u0000";
  }
  if (problem == Problem::UnknownEscape) return "unknown escape in a string";
  if (problem == Problem::NoHexDigits) return "\\u needs four hexadecimal digits";
  if (problem == Problem::IllFormed) return found(rest) + ", which is not valid UTF-8";
  if (problem == Problem::TrailingText) return found(rest) + " after the end of the value";
  return "expected " + std::string(expected(problem)) + " but " + found(rest);
}

}  // namespace

Error scan_error(std::string_view document, std::size_t position, Problem problem) {
  if (problem == Problem::TooDeep) {
    return {.code = ErrorCode::Limit,
            .message = "Failed to parse input as JSON at " + place(document, position) +
                       ": it is nested deeper than " + std::to_string(kMaxDepth) + " levels",
            .suggestion = "Pass a part of the document as 'data'."};
  }
  return {.code = ErrorCode::JsonParse,
          .message = "Failed to parse input as JSON at " + place(document, position) + ": " +
                     what(document.substr(position), problem),
          .suggestion = "Pass one complete JSON value as the string 'data'."};
}

}  // namespace goondan::builtin::json_query
