#include "oauth/provider/id_token.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/json_fields.h"
#include "net/header.h"
#include "oauth/provider/endpoint_call.h"
#include "oauth/provider/unpadded_base64.h"

namespace goondan::oauth {
namespace {

constexpr std::array<std::pair<std::string_view, SignatureAlgorithm>, 4> kAlgorithms = {{
    {"RS256", SignatureAlgorithm::Rs256},
    {"PS256", SignatureAlgorithm::Ps256},
    {"ES256", SignatureAlgorithm::Es256},
    {"EdDSA", SignatureAlgorithm::EdDsa},
}};

Error no_id_token(const std::string& problem) {
  return {.code = ErrorCode::HttpResponse, .message = "the id token is refused: " + problem};
}

std::optional<JsonObject> token_part(std::string_view text) {
  const std::optional<std::string> bytes = from_unpadded_base64(text);
  if (!bytes) return std::nullopt;
  Result<Json> json =
      parse_json(*bytes, {.max_bytes = kMaxAnswerBytes, .max_depth = kMaxAnswerDepth});
  if (!json.ok() || !json->is_object()) return std::nullopt;
  return std::move(json->get_object());
}

Result<void> read_token_header(const JsonObject& header, IdToken& token) {
  token.algorithm_name = text_field(header, "alg");
  const auto* known = std::ranges::find(kAlgorithms, token.algorithm_name,
                                        [](const auto& one) { return one.first; });
  if (known == kAlgorithms.end()) {
    return no_id_token("its algorithm is none of RS256, PS256, ES256, EdDSA");
  }
  if (header.contains("crit")) return no_id_token("it must be understood in ways we do not know");
  if (header.contains("typ") && !net::same_name(text_field(header, "typ"), "JWT")) {
    return no_id_token("it is a token of another type");
  }
  token.algorithm = known->second;
  token.key_id = text_field(header, "kid");
  return {};
}

}  // namespace

Result<IdToken> parse_id_token(std::string_view text) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || text.find('.', second + 1) != std::string_view::npos) {
    return no_id_token("it does not have three parts");
  }
  const std::optional<JsonObject> header = token_part(text.substr(0, first));
  std::optional<JsonObject> claims = token_part(text.substr(first + 1, second - first - 1));
  std::optional<std::string> signature = from_unpadded_base64(text.substr(second + 1));
  if (!header || !claims || !signature) return no_id_token("it cannot be decoded");
  IdToken token{.signed_text = std::string(text.substr(0, second)),
                .signature = std::move(*signature),
                .claims = std::move(*claims)};
  GDN_TRY(read_token_header(*header, token));
  return token;
}

std::vector<const Jwk*> keys_for(const IdToken& token, const std::vector<Jwk>& keys) {
  std::vector<const Jwk*> found;
  for (const Jwk& key : keys) {
    if (!token.key_id.empty() && key.id != token.key_id) continue;
    if (key.fits(token.algorithm, token.algorithm_name)) found.push_back(&key);
  }
  return found;
}

}  // namespace goondan::oauth
