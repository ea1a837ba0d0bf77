// The keys of an issuer (RFC 7517), as far as they can check id tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

namespace goondan::oauth {

inline constexpr std::size_t kMaxJwks = 64;

enum class SignatureAlgorithm { Rs256, Ps256, Es256, EdDsa };

// A value; nothing secret.
struct Jwk {
  enum class Type { Rsa, P256, Ed25519 } type = Type::Rsa;
  std::string id = {};         // `kid`; may be empty
  std::string algorithm = {};  // the only one it is for; empty: any that fits
  std::string der = {};        // as a SubjectPublicKeyInfo

  [[nodiscard]] bool fits(SignatureAlgorithm wanted, std::string_view name) const;
};

// The usable ones of `{keys: [...]}`, at most `kMaxJwks`. Others are left out: an issuer may have
// keys of all kinds.
std::vector<Jwk> read_jwks(const JsonObject& document);

}  // namespace goondan::oauth
