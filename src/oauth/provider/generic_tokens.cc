#include <utility>

#include "base/base64.h"
#include "oauth/provider/generic.h"
#include "oauth/provider/refusal.h"
#include "oauth/provider/scopes.h"

namespace goondan::oauth {

EndpointCaller::Call GenericProvider::authenticated(EndpointCaller::Call call) const {
  const App& client = app();
  const bool basic = client.client_secret != nullptr &&
                     client.client_authentication == App::ClientAuthentication::Basic;
  if (basic) {
    const std::string pair =
        parameter_encoded(client.client_id) + ":" + parameter_encoded(client_secret());
    call.headers.push_back({"Authorization", "Basic " + base64_encode(pair)});
    return call;
  }
  call.form.emplace_back("client_id", client.client_id);
  if (client.client_secret != nullptr) call.form.emplace_back("client_secret", client_secret());
  return call;
}

Answer<Tokens> GenericProvider::tokens_of(const JsonObject& answer,
                                          const TokenExpectation& expected) const {
  return read_tokens(answer, expected);
}

Answer<Tokens> GenericProvider::ask_for_tokens(Parameters form, const RequestSecrets& secrets,
                                               const TokenExpectation& expected,
                                               const Limit& limit) {
  const auto known = endpoints(limit);
  if (const ProviderError* error = error_of(known)) return *error;
  if (!app().resource.empty()) form.emplace_back("resource", app().resource);
  const std::string& url = std::get<App::Endpoints>(known).token;
  const auto reply = caller().post(
      authenticated({.name = "the token endpoint", .url = url, .form = std::move(form)}), limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const auto answer = read_reply(std::get<EndpointReply>(reply), secrets);
  if (const ProviderError* error = error_of(answer)) return *error;
  return tokens_of(std::get<JsonObject>(answer), expected);
}

Answer<Tokens> GenericProvider::exchange(const CodeExchange& exchange, const Limit& limit) {
  return ask_for_tokens({{"grant_type", "authorization_code"},
                         {"code", std::string(exchange.code)},
                         {"redirect_uri", exchange.redirect_uri},
                         {"code_verifier", std::string(exchange.code_verifier)}},
                        {exchange.code, exchange.code_verifier, client_secret()},
                        {.scopes = exchange.scopes}, limit);
}

// Without `scope`: what is not said stays as it was granted (RFC 6749 §6).
Answer<Tokens> GenericProvider::refresh(std::string_view refresh_token,
                                        const std::vector<std::string>& scopes,
                                        const Limit& limit) {
  return ask_for_tokens(
      {{"grant_type", "refresh_token"}, {"refresh_token", std::string(refresh_token)}},
      {refresh_token, client_secret()},
      {.scopes = scopes, .odd_expiry = TokenExpectation::OddExpiry::Expired}, limit);
}

Answer<std::monostate> GenericProvider::revoke(const Secret& access_token,
                                               const Secret& refresh_token, const Limit& limit) {
  const auto known = endpoints(limit);
  if (const ProviderError* error = error_of(known)) return *error;
  if (std::get<App::Endpoints>(known).revocation.empty())
    return broken("revocation_unsupported", "no revocation endpoint is known");
  Answer<std::monostate> outcome = std::monostate{};
  const std::pair<const Secret*, std::string_view> tokens[] = {{&refresh_token, "refresh_token"},
                                                               {&access_token, "access_token"}};
  for (const auto& [token, hint] : tokens) {
    if (token->empty()) continue;
    auto one = revoke_one(token->reveal(), hint, limit);
    if (error_of(outcome) == nullptr) outcome = std::move(one);
  }
  return outcome;
}

Answer<std::monostate> GenericProvider::revoke_one(std::string_view token, std::string_view hint,
                                                   const Limit& limit) {
  const std::string url = known_now().revocation;
  const auto reply = caller().post(
      authenticated(
          {.name = "the revocation endpoint",
           .url = url,
           .form = {{"token", std::string(token)}, {"token_type_hint", std::string(hint)}}}),
      limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const EndpointReply& came = std::get<EndpointReply>(reply);
  // Nothing need be in the answer. A kind of token that cannot be revoked ends by itself.
  if (came.status >= 200 && came.status < 300) return std::monostate{};
  const auto refused = read_reply(came, {token, client_secret()});
  const ProviderError* error = error_of(refused);
  if (error == nullptr || error->code == "unsupported_token_type") return std::monostate{};
  return *error;
}

}  // namespace goondan::oauth
