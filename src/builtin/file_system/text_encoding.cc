#include "builtin/file_system/text_encoding.h"

#include <array>

#include "base/base64.h"
#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/file_system/byte_notation.h"
#include "builtin/file_system/utf16.h"

namespace goondan::builtin::file_system {
namespace {

using Name = std::pair<std::string_view, Encoding>;

constexpr std::array kNames{
    Name{"utf8", Encoding::Utf8},       Name{"utf-8", Encoding::Utf8},
    Name{"base64", Encoding::Base64},   Name{"base64url", Encoding::Base64Url},
    Name{"hex", Encoding::Hex},         Name{"latin1", Encoding::Latin1},
    Name{"binary", Encoding::Latin1},   Name{"ascii", Encoding::Ascii},
    Name{"utf16le", Encoding::Utf16le}, Name{"utf-16le", Encoding::Utf16le},
    Name{"ucs2", Encoding::Utf16le},    Name{"ucs-2", Encoding::Utf16le}};

constexpr unsigned char kAsciiBits = 0x7F;
constexpr char32_t kLastLatin1 = 0xFF;
constexpr char32_t kLastAscii = 0x7F;

bool same_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// Each byte is the character with its number.
std::string decode_bytewise(std::string_view bytes, unsigned char mask) {
  std::string text;
  for (const char byte : bytes)
    utf8::append(text, static_cast<unsigned char>(byte) & mask);
  return text;
}

Result<std::string> encode_bytewise(std::string_view text, char32_t last, std::string_view name) {
  std::string bytes;
  for (const char32_t c : code_points(text)) {
    if (c > last) {
      return invalid_argument(
          "content", "holds characters that the encoding '" + std::string(name) +
                         "' does not have; use 'utf8', or write the bytes as 'base64' or 'hex'");
    }
    bytes += static_cast<char>(c);
  }
  return bytes;
}

}  // namespace

std::optional<Encoding> find_encoding(std::string_view name) {
  for (const auto& [known, encoding] : kNames) {
    if (same_ignoring_case(name, known)) return encoding;
  }
  return std::nullopt;
}

std::string decode(std::string_view bytes, Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8:
      return utf8::repaired(bytes);
    case Encoding::Base64:
      return base64_encode(bytes);
    case Encoding::Base64Url: {
      std::string text = base64_encode(bytes, Base64Alphabet::Url);
      text.erase(text.find_last_not_of('=') + 1);
      return text;
    }
    case Encoding::Hex:
      return to_hex(bytes);
    case Encoding::Latin1:
      return decode_bytewise(bytes, kLastLatin1);
    case Encoding::Ascii:
      return decode_bytewise(bytes, kAsciiBits);
    case Encoding::Utf16le:
      return from_utf16le(bytes);
  }
  return {};
}

Result<std::string> encode(std::string_view text, Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8:
      return std::string(text);
    case Encoding::Base64:
    case Encoding::Base64Url:
      return from_base64(text);
    case Encoding::Hex:
      return from_hex(text);
    case Encoding::Latin1:
      return encode_bytewise(text, kLastLatin1, "latin1");
    case Encoding::Ascii:
      return encode_bytewise(text, kLastAscii, "ascii");
    case Encoding::Utf16le:
      return to_utf16le(text);
  }
  return std::string();
}

}  // namespace goondan::builtin::file_system
