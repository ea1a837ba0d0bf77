#include "resource/yaml_check.h"

#include <algorithm>

#include "base/utf8.h"

namespace goondan::yaml {
namespace {

constexpr std::string_view kDirective = "%TAG";

std::string hex_byte(char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("0x") + kHex[byte >> 4] + kHex[byte & 0xF];
}

// The characters that UTF-8 can say and YAML cannot.
bool forbidden(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence.front());
  if (sequence.size() == 1) {
    return (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7F;
  }
  if (sequence.size() == 2) {
    const auto second = static_cast<unsigned char>(sequence[1]);
    return first == 0xC2 && second < 0xA0 && second != 0x85;
  }
  return sequence == "\xEF\xBB\xBF" || sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

// Nearly every byte: printable ASCII and line breaks, but for the sign that begins a directive.
bool harmless(char c) {
  return (c >= ' ' && c <= '~' && c != '%') || c == '\n';
}

bool at_line_start(std::string_view text, std::size_t offset) {
  return offset == 0 || text[offset - 1] == '\n' || text[offset - 1] == '\r';
}

TextProblem not_utf8(std::string_view text, std::size_t offset) {
  return {.offset = offset,
          .message = "the byte " + hex_byte(text[offset]) + " is not valid UTF-8 here",
          .suggestion = "Save the file as UTF-8 text."};
}

TextProblem not_text(std::string_view text, std::size_t offset) {
  const bool single = utf8::sequence_length(text.substr(offset)) == 1;
  return {.offset = offset,
          .message = single ? "the control character " + hex_byte(text[offset]) +
                                  " cannot stand in YAML; is this a binary file?"
                            : "an invisible control character cannot stand in YAML",
          .suggestion = "Remove it, or write it as an escape between double quotes."};
}

}  // namespace

std::optional<TextProblem> check_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (harmless(text[i])) {
      ++i;
      continue;
    }
    const std::string_view rest = text.substr(i);
    const std::size_t length = utf8::sequence_length(rest);
    if (length == 0) return not_utf8(text, i);
    if (forbidden(rest.substr(0, length))) return not_text(text, i);
    if (rest.starts_with(kDirective) && at_line_start(text, i)) {
      return TextProblem{.offset = i,
                         .message = "`%TAG` directives are not supported",
                         .suggestion = "Remove the line; no tags of one's own are needed."};
    }
    i += length;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_document_marker(std::string_view text, std::size_t from) {
  constexpr std::string_view kMarker = "---";
  for (std::size_t i = text.find(kMarker, from); i != std::string_view::npos;
       i = text.find(kMarker, i + 1)) {
    const std::size_t after = i + kMarker.size();
    const bool ends = after >= text.size() || std::string_view(" \t\r\n").contains(text[after]);
    if (ends && at_line_start(text, i)) return i;
  }
  return std::nullopt;
}

}  // namespace goondan::yaml
