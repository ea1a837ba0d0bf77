#include "base/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace goondan {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNoDigit = 64;

// The value of each character as a digit of either alphabet.
constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::uint8_t i = 0; i < kNoDigit; ++i) {
    values[static_cast<unsigned char>(kStandard[i])] = i;
    values[static_cast<unsigned char>(kUrl[i])] = i;
  }
  return values;
}();

unsigned byte_at(std::string_view bytes, std::size_t index) {
  return index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0;
}

}  // namespace

std::string base64_encode(std::string_view bytes, Base64Alphabet alphabet) {
  const char* digits = (alphabet == Base64Alphabet::Url ? kUrl : kStandard).data();
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data();
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const unsigned group =
        byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    *to++ = digits[group >> 18];
    *to++ = digits[group >> 12 & 63];
    *to++ = digits[group >> 6 & 63];
    *to++ = digits[group & 63];
  }
  if (i == bytes.size()) return out;
  const unsigned rest = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8;
  *to++ = digits[rest >> 18];
  *to++ = digits[rest >> 12 & 63];
  if (i + 2 == bytes.size()) *to = digits[rest >> 6 & 63];
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int digits = 0;  // in the group of four that is being read
  std::size_t at = 0;
  for (; at < text.size() && text[at] != '='; ++at) {
    if (text[at] == '\n' || text[at] == '\r') continue;
    const std::uint8_t value = kValues[static_cast<unsigned char>(text[at])];
    if (value == kNoDigit) return std::nullopt;
    bits = bits << 6 | value;
    if (++digits < 4) continue;
    for (const int shift : {16, 8, 0})
      out += static_cast<char>(bits >> shift & 255);
    digits = 0;
  }
  if (digits == 1 || text.find_first_not_of("=\r\n", at) != std::string_view::npos) {
    return std::nullopt;
  }
  if (digits == 2) out += static_cast<char>(bits >> 4 & 255);
  if (digits == 3) {
    out += static_cast<char>(bits >> 10 & 255);
    out += static_cast<char>(bits >> 2 & 255);
  }
  return out;
}

}  // namespace goondan
