#include "oauth/provider/der.h"

#include <cstddef>

namespace goondan::oauth::der {
namespace {

constexpr char kInteger = 0x02;
constexpr char kBits = 0x03;
constexpr char kSequence = 0x30;

// The bytes of a literal, which may hold a NUL.
template <std::size_t N>
constexpr std::string_view literal(const char (&bytes)[N]) {
  return {bytes, N - 1};
}

// Algorithm identifiers as they are encoded.
constexpr std::string_view kRsaAlgorithm =
    literal("\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00");
constexpr std::string_view kP256Algorithm =
    literal("\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07");
constexpr std::string_view kEd25519Algorithm = literal("\x30\x05\x06\x03\x2b\x65\x70");

std::string element(char tag, std::string_view content) {
  std::string encoded(1, tag);
  if (content.size() < 0x80) {
    encoded += static_cast<char>(content.size());
  } else {
    std::string length;
    for (std::size_t rest = content.size(); rest > 0; rest >>= 8U) {
      length.insert(length.begin(), static_cast<char>(rest & 0xffU));
    }
    encoded += static_cast<char>(0x80U | length.size());
    encoded += length;
  }
  return encoded.append(content);
}

std::string integer(std::string_view number) {
  while (number.size() > 1 && number.front() == '\0') {
    number.remove_prefix(1);
  }
  const bool looks_negative = !number.empty() && static_cast<unsigned char>(number.front()) >= 0x80;
  const std::string content =
      (looks_negative || number.empty() ? std::string(1, '\0') : "") + std::string(number);
  return element(kInteger, content);
}

std::string public_key(std::string_view algorithm, const std::string& key) {
  return element(kSequence, std::string(algorithm) + element(kBits, std::string(1, '\0') + key));
}

}  // namespace

std::string rsa_key(std::string_view modulus, std::string_view exponent) {
  return public_key(kRsaAlgorithm, element(kSequence, integer(modulus) + integer(exponent)));
}

std::string p256_key(std::string_view x, std::string_view y) {
  return public_key(kP256Algorithm, '\x04' + std::string(x) + std::string(y));
}

std::string ed25519_key(std::string_view x) {
  return public_key(kEd25519Algorithm, std::string(x));
}

std::string ecdsa_signature(std::string_view r, std::string_view s) {
  return element(kSequence, integer(r) + integer(s));
}

}  // namespace goondan::oauth::der
