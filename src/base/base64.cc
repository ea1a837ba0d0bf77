#include "base/base64.h"

#include <cstddef>

namespace goondan {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

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

}  // namespace goondan
