#include "oauth/provider/jwk.h"

#include <algorithm>
#include <optional>

#include "base/json_fields.h"
#include "oauth/provider/der.h"
#include "oauth/provider/unpadded_base64.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kCurveBytes = 32;
constexpr std::size_t kMinModulus = 256;   // 2048 bits
constexpr std::size_t kMaxModulus = 1024;  // larger ones take too long
constexpr std::size_t kMaxExponent = 4;

std::string key_part(const JsonObject& key, std::string_view name) {
  return from_unpadded_base64(text_field(key, name)).value_or("");
}

std::optional<Jwk> rsa_jwk(const JsonObject& key) {
  std::string modulus = key_part(key, "n");
  modulus.erase(0, std::min(modulus.find_first_not_of('\0'), modulus.size()));
  const std::string exponent = key_part(key, "e");
  if (modulus.size() < kMinModulus || modulus.size() > kMaxModulus || exponent.empty() ||
      exponent.size() > kMaxExponent) {
    return std::nullopt;
  }
  return Jwk{.type = Jwk::Type::Rsa, .der = der::rsa_key(modulus, exponent)};
}

std::optional<Jwk> p256_jwk(const JsonObject& key) {
  const std::string x = key_part(key, "x");
  const std::string y = key_part(key, "y");
  if (text_field(key, "crv") != "P-256" || x.size() != kCurveBytes || y.size() != kCurveBytes) {
    return std::nullopt;
  }
  return Jwk{.type = Jwk::Type::P256, .der = der::p256_key(x, y)};
}

std::optional<Jwk> ed25519_jwk(const JsonObject& key) {
  const std::string x = key_part(key, "x");
  if (text_field(key, "crv") != "Ed25519" || x.size() != kCurveBytes) return std::nullopt;
  return Jwk{.type = Jwk::Type::Ed25519, .der = der::ed25519_key(x)};
}

bool is_for_signatures(const JsonObject& key) {
  if (key.contains("use") && text_field(key, "use") != "sig") return false;
  if (!key.contains("key_ops")) return true;
  const JsonArray* operations = array_field(key, "key_ops");
  return operations != nullptr &&
         std::ranges::find(*operations, Json("verify")) != operations->end();
}

std::optional<Jwk> read_jwk(const JsonObject& key) {
  if (!is_for_signatures(key)) return std::nullopt;
  const std::string type = text_field(key, "kty");
  std::optional<Jwk> read = type == "RSA"   ? rsa_jwk(key)
                            : type == "EC"  ? p256_jwk(key)
                            : type == "OKP" ? ed25519_jwk(key)
                                            : std::nullopt;
  if (!read) return std::nullopt;
  read->id = text_field(key, "kid");
  read->algorithm = text_field(key, "alg");
  return read;
}

}  // namespace

bool Jwk::fits(SignatureAlgorithm wanted, std::string_view name) const {
  if (!algorithm.empty() && algorithm != name) return false;
  switch (wanted) {
    case SignatureAlgorithm::Rs256:
    case SignatureAlgorithm::Ps256:
      return type == Type::Rsa;
    case SignatureAlgorithm::Es256:
      return type == Type::P256;
    case SignatureAlgorithm::EdDsa:
      return type == Type::Ed25519;
  }
  return false;
}

std::vector<Jwk> read_jwks(const JsonObject& document) {
  std::vector<Jwk> keys;
  const JsonArray* list = array_field(document, "keys");
  if (list == nullptr) return keys;
  for (const Json& item : *list) {
    if (keys.size() == kMaxJwks) break;
    if (!item.is_object()) continue;
    if (std::optional<Jwk> key = read_jwk(item.get_object())) keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace goondan::oauth
