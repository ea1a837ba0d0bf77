#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace goondan::utf8 {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

bool continuation(std::string_view text, std::size_t index, std::uint8_t low = 0x80,
                  std::uint8_t high = 0xBF) {
  return index < text.size() && byte_at(text, index) >= low && byte_at(text, index) <= high;
}

std::size_t three_byte_length(std::string_view text, std::uint8_t lead) {
  const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;   // no overlong forms
  const std::uint8_t high = lead == 0xED ? 0x9F : 0xBF;  // no surrogates
  return continuation(text, 1, low, high) && continuation(text, 2) ? 3 : 0;
}

std::size_t four_byte_length(std::string_view text, std::uint8_t lead) {
  const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80;   // no overlong forms
  const std::uint8_t high = lead == 0xF4 ? 0x8F : 0xBF;  // nothing past U+10FFFF
  return continuation(text, 1, low, high) && continuation(text, 2) && continuation(text, 3) ? 4 : 0;
}

// How many bytes of ASCII `text` begins with; eight at a time, since most text is nothing else.
std::size_t ascii_length(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (at < text.size() && byte_at(text, at) < 0x80)
    ++at;
  return at;
}

}  // namespace

std::size_t sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continuation(text, 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) return three_byte_length(text, lead);
  if (lead >= 0xF0 && lead <= 0xF4) return four_byte_length(text, lead);
  return 0;
}

bool valid(std::string_view text) {
  while (!text.empty()) {
    std::size_t step = ascii_length(text);
    if (step == 0) step = sequence_length(text);
    if (step == 0) return false;
    text.remove_prefix(step);
  }
  return true;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t ascii = ascii_length(text);
    count += std::max<std::size_t>(ascii, 1);
    text.remove_prefix(ascii > 0 ? ascii : std::max<std::size_t>(sequence_length(text), 1));
  }
  return count;
}

std::string_view prefix(std::string_view text, std::size_t count) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < count && !rest.empty(); ++i) {
    rest.remove_prefix(std::max<std::size_t>(sequence_length(rest), 1));
  }
  return text.substr(0, text.size() - rest.size());
}

std::string repaired(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t step = ascii_length(text);
    if (step == 0) step = sequence_length(text);
    out += step == 0 ? std::string_view("\uFFFD") : text.substr(0, step);
    text.remove_prefix(std::max<std::size_t>(step, 1));
  }
  return out;
}

void append(std::string& out, char32_t code_point) {
  const auto low = [code_point](unsigned shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | (code_point >> 6));
    out += low(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | (code_point >> 12));
    out += low(6);
    out += low(0);
  } else {
    out += static_cast<char>(0xF0 | (code_point >> 18));
    out += low(12);
    out += low(6);
    out += low(0);
  }
}

}  // namespace goondan::utf8
