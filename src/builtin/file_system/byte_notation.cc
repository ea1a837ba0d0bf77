#include "builtin/file_system/byte_notation.h"

#include <cstdint>

#include "builtin/arguments.h"

namespace goondan::builtin::file_system {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

Error not_base64(std::size_t position) {
  return invalid_argument("content",
                          "is not base64: wrong at character " + std::to_string(position + 1));
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kHexDigits[value >> 4];
    text += kHexDigits[value & 0xF];
  }
  return text;
}

Result<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0)
    return invalid_argument("content", "is not hex: it needs two digits for each byte");
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) {
      return invalid_argument("content",
                              "is not hex: wrong near character " + std::to_string(i + 1));
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

Result<std::string> from_base64(std::string_view text) {
  const std::size_t end = text.find_last_not_of("= \t\r\n") + 1;
  std::string bytes;
  bytes.reserve(end / 4 * 3 + 3);
  std::uint32_t bits = 0;
  unsigned count = 0;  // of bits not yet written
  std::size_t characters = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == '\n' || text[i] == '\r') continue;
    const int value = base64_value(text[i]);
    if (value < 0) return not_base64(i);
    ++characters;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  if (characters % 4 == 1) return not_base64(end - 1);
  return bytes;
}

}  // namespace goondan::builtin::file_system
