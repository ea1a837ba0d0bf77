// The few forms of DER that keys and signatures must have for OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace goondan::oauth::der {

// Numbers are unsigned, the highest byte first. A SubjectPublicKeyInfo (RFC 5280) each:
std::string rsa_key(std::string_view modulus, std::string_view exponent);
std::string p256_key(std::string_view x, std::string_view y);  // 32 bytes each
std::string ed25519_key(std::string_view x);                   // 32 bytes

// A signature of ECDSA from the two halves that JOSE writes one behind the other.
std::string ecdsa_signature(std::string_view r, std::string_view s);

}  // namespace goondan::oauth::der
