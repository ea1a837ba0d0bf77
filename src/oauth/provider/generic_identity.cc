#include <chrono>
#include <utility>

#include "base/json_fields.h"
#include "oauth/provider/generic.h"

namespace goondan::oauth {
namespace {

ProviderError refused_id_token(const std::string& problem) {
  return broken("invalid_id_token", "the id token is refused: " + problem);
}

std::int64_t seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

bool signed_by_one(const CryptoLibrary& library, const IdToken& token,
                   const std::vector<const Jwk*>& keys) {
  for (const Jwk* key : keys) {
    if (signature_is_right(library, token, *key)) return true;
  }
  return false;
}

}  // namespace

Identity GenericProvider::user_identity(std::string_view subject) const {
  return {.user = app().provider + ":user:" + std::string(subject)};
}

Answer<Identity> GenericProvider::identify(const Tokens& tokens, std::string_view nonce,
                                           const Limit& limit) {
  if (!tokens.identity.user.empty()) return tokens.identity;
  const auto known = endpoints(limit);
  if (const ProviderError* error = error_of(known)) return *error;
  const auto& endpoints_now = std::get<App::Endpoints>(known);
  if (!tokens.id_token.empty() && !endpoints_now.jwks.empty()) {
    return from_id_token(tokens, nonce, limit);
  }
  if (endpoints_now.user_info.empty()) return tokens.identity;
  return from_user_info(endpoints_now.user_info, tokens.access_token, limit);
}

Answer<std::vector<Jwk>> GenericProvider::fetch_keys(const std::string& jwks, const Limit& limit) {
  const auto reply = caller().get({.name = "the keys at", .url = jwks}, limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const auto document = read_reply(std::get<EndpointReply>(reply), {});
  if (const ProviderError* error = error_of(document)) return *error;
  std::vector<Jwk> keys = read_jwks(std::get<JsonObject>(document));
  const std::scoped_lock lock(mutex_);
  keys_ = keys;
  return keys;
}

// Keys that are known are used. If none of them can be meant, the issuer may have new ones, and is
// asked once.
Answer<std::monostate> GenericProvider::check_signature(const IdToken& token,
                                                        const std::string& jwks,
                                                        const Limit& limit) {
  const Result<CryptoLibrary> library = CryptoLibrary::load();
  if (!library.ok()) return broken("invalid_id_token", library.error().message);
  const std::vector<Jwk> known = [this] {
    const std::scoped_lock lock(mutex_);
    return keys_;
  }();
  const std::vector<const Jwk*> meant = keys_for(token, known);
  if (signed_by_one(*library, token, meant)) return std::monostate{};
  if (!meant.empty() && !token.key_id.empty()) return refused_id_token("its signature is wrong");
  const auto fetched = fetch_keys(jwks, limit);
  if (const ProviderError* error = error_of(fetched)) return *error;
  const std::vector<const Jwk*> fresh = keys_for(token, std::get<std::vector<Jwk>>(fetched));
  if (fresh.empty()) return refused_id_token("its key is not among those of the issuer");
  if (!signed_by_one(*library, token, fresh)) return refused_id_token("its signature is wrong");
  return std::monostate{};
}

Answer<Identity> GenericProvider::from_id_token(const Tokens& tokens, std::string_view nonce,
                                                const Limit& limit) {
  const Result<IdToken> token = parse_id_token(tokens.id_token.reveal());
  if (!token.ok()) return broken("invalid_id_token", token.error().message);
  const auto is_signed = check_signature(*token, known_now().jwks, limit);
  if (const ProviderError* error = error_of(is_signed)) return *error;
  const std::string problem = claims_problem(*token, {.issuer = app().endpoints.issuer,
                                                      .client_id = app().client_id,
                                                      .nonce = nonce,
                                                      .access_token = tokens.access_token.reveal(),
                                                      .now = seconds_now()});
  if (!problem.empty()) return refused_id_token(problem);
  return user_identity(text_field(token->claims, "sub"));
}

Answer<Identity> GenericProvider::from_user_info(const std::string& url, const Secret& access_token,
                                                 const Limit& limit) {
  const std::string bearer = "Bearer " + std::string(access_token.reveal());
  const auto reply = caller().get(
      {.name = "the user info endpoint", .url = url, .headers = {{"Authorization", bearer}}},
      limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const auto info = read_reply(std::get<EndpointReply>(reply), {access_token.reveal()});
  if (const ProviderError* error = error_of(info)) return *error;
  const std::string subject = text_field(std::get<JsonObject>(info), "sub");
  if (!is_subject(subject)) {
    return broken("unusable_answer", "the user info endpoint does not say who the user is");
  }
  return user_identity(subject);
}

}  // namespace goondan::oauth
