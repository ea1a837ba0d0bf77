// An id token (OpenID Connect Core): taken apart, its signature, its claims. `none` and the
// algorithms with a shared secret do not exist here.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "oauth/provider/crypto_library.h"
#include "oauth/provider/jwk.h"

namespace goondan::oauth {

inline constexpr std::chrono::seconds kClockSkew{60};
inline constexpr std::size_t kMaxSubject = 255;

struct IdToken {
  SignatureAlgorithm algorithm = SignatureAlgorithm::Rs256;
  std::string algorithm_name = {};
  std::string key_id = {};       // `kid`; may be empty
  std::string signed_text = {};  // header and claims as they came
  std::string signature = {};
  JsonObject claims = {};
};

// Fails, in words without any part of the token, if it is none or has an algorithm we refuse.
Result<IdToken> parse_id_token(std::string_view text);

// The keys that may have made the signature: those of its id, or, if it names none, all that fit.
std::vector<const Jwk*> keys_for(const IdToken& token, const std::vector<Jwk>& keys);

bool signature_is_right(const CryptoLibrary& library, const IdToken& token, const Jwk& key);

struct ExpectedClaims {
  std::string_view issuer = {};
  std::string_view client_id = {};
  std::string_view nonce = {};  // empty: none was sent
  std::string_view access_token = {};
  std::int64_t now = 0;  // seconds since 1970
};

// What is wrong with the claims, empty if nothing: iss, aud, azp, exp, iat, nbf, nonce, at_hash,
// sub.
std::string claims_problem(const IdToken& token, const ExpectedClaims& expected);

// Whether `text` may be the name of a user: not empty, bounded, UTF-8 without control characters.
bool is_subject(std::string_view text);

}  // namespace goondan::oauth
