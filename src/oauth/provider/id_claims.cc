#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sodium.h>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "oauth/provider/id_token.h"
#include "oauth/provider/unpadded_base64.h"

namespace goondan::oauth {
namespace {

std::optional<double> time_claim(const JsonObject& claims, std::string_view name) {
  const Json* claim = claims.if_contains(name);
  if (claim == nullptr || !claim->is_number()) return std::nullopt;
  const double seconds = claim->to_number<double>();
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

std::string time_problem(const JsonObject& claims, std::int64_t now) {
  const auto skew = static_cast<double>(kClockSkew.count());
  const auto present = static_cast<double>(now);
  const std::optional<double> expires = time_claim(claims, "exp");
  const std::optional<double> issued = time_claim(claims, "iat");
  if (!expires || !issued) return "it does not say when it was issued and when it expires";
  if (*expires + skew <= present) return "it has expired";
  if (*issued - skew > present) return "it was issued in the future";
  if (!claims.contains("nbf")) return {};
  const std::optional<double> begins = time_claim(claims, "nbf");
  return begins && *begins - skew <= present ? "" : "it is not valid yet";
}

std::string audience_problem(const JsonObject& claims, std::string_view client_id) {
  std::size_t others = 0;
  bool ours = text_field(claims, "aud") == client_id;
  if (const JsonArray* list = array_field(claims, "aud")) {
    for (const Json& item : *list) {
      const bool same = item.is_string() && std::string_view(item.get_string()) == client_id;
      ours = ours || same;
      others += same ? 0 : 1;
    }
  }
  if (!ours) return "it is for another client";
  const bool named = text_field(claims, "azp") == client_id;
  const bool must_be_named = others > 0 || claims.contains("azp");
  return named || !must_be_named ? "" : "it was issued to another client";
}

// The left half of the hash that belongs to the algorithm.
std::string half_hash(SignatureAlgorithm algorithm, std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::array<unsigned char, crypto_hash_sha512_BYTES> hash;
  std::size_t size = crypto_hash_sha256_BYTES;
  if (algorithm == SignatureAlgorithm::EdDsa) {
    size = crypto_hash_sha512_BYTES;
    ::crypto_hash_sha512(hash.data(), bytes, text.size());
  } else {
    ::crypto_hash_sha256(hash.data(), bytes, text.size());
  }
  return unpadded_base64({reinterpret_cast<const char*>(hash.data()), size / 2});
}

}  // namespace

bool is_subject(std::string_view text) {
  return !text.empty() && text.size() <= kMaxSubject && utf8::valid(text) &&
         std::ranges::none_of(
             text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string claims_problem(const IdToken& token, const ExpectedClaims& expected) {
  const JsonObject& claims = token.claims;
  if (expected.issuer.empty() || text_field(claims, "iss") != expected.issuer) {
    return "it is from another issuer";
  }
  if (std::string problem = audience_problem(claims, expected.client_id); !problem.empty()) {
    return problem;
  }
  if (std::string problem = time_problem(claims, expected.now); !problem.empty()) return problem;
  if (!expected.nonce.empty() && text_field(claims, "nonce") != expected.nonce) {
    return "it answers another request";
  }
  const bool hashed = claims.contains("at_hash");
  if (hashed &&
      text_field(claims, "at_hash") != half_hash(token.algorithm, expected.access_token)) {
    return "it belongs to another access token";
  }
  return is_subject(text_field(claims, "sub")) ? "" : "it names no user";
}

}  // namespace goondan::oauth
