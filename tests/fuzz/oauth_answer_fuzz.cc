// What a provider answers: tokens (by the RFC and Slack's), metadata, keys and id tokens, from any
// bytes. Whatever comes, no scope is won, nothing that is no token is taken for one, no message has
// a control character or the secret of the request, and no key checks what another kind has signed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "oauth/provider/endpoint_call.h"
#include "oauth/provider/endpoint_url.h"
#include "oauth/provider/id_token.h"
#include "oauth/provider/metadata.h"
#include "oauth/provider/slack.h"

namespace {

using namespace goondan;
using namespace goondan::oauth;

constexpr std::size_t kMaxInput = std::size_t{64} << 10;

void must(bool holds) {
  if (!holds) std::abort();
}

void check_error(const ProviderError& error) {
  must(std::ranges::none_of(error.message + error.code, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  }));
  must((error.message + error.code).find("c0de") == std::string::npos);
}

void check_tokens(const Answer<Tokens>& answer, const TokenExpectation& expected) {
  if (const auto* error = std::get_if<ProviderError>(&answer)) return check_error(*error);
  const Tokens& tokens = std::get<Tokens>(answer);
  must(is_token_text(tokens.access_token.reveal()));
  must(tokens.refresh_token.empty() || is_token_text(tokens.refresh_token.reveal()));
  must(!tokens.expires_in ||
       (tokens.expires_in->count() >= 0 && *tokens.expires_in <= kMaxTokenLife));
  for (const std::string& scope : tokens.scopes) {
    must(std::ranges::find(expected.scopes, scope) != expected.scopes.end());
  }
}

Answer<JsonObject> reply_of(int status, std::string_view body) {
  return read_reply({.place = "there",
                     .status = status,
                     .content_type = "application/json",
                     .body = std::string(body)},
                    {"c0de"});
}

void read_answer(int status, std::string_view body) {
  const auto reply = reply_of(status, body);
  if (const auto* error = std::get_if<ProviderError>(&reply)) return check_error(*error);
  const JsonObject& object = std::get<JsonObject>(reply);
  for (const auto odd :
       {TokenExpectation::OddExpiry::Refuse, TokenExpectation::OddExpiry::Expired}) {
    const TokenExpectation expected{.scopes = {"a", "chat:write"}, .odd_expiry = odd};
    check_tokens(read_tokens(object, expected), expected);
    check_tokens(read_slack_tokens(object, expected, OAuthAppResource::SubjectMode::User),
                 expected);
    check_tokens(read_slack_tokens(object, expected, OAuthAppResource::SubjectMode::Global),
                 expected);
  }
}

void read_issuer(std::string_view body) {
  const auto reply = reply_of(200, body);
  if (std::get_if<ProviderError>(&reply) != nullptr) return;
  const App app{.endpoints = {.issuer = "https://a.example"}};
  const auto metadata = read_metadata(std::get<JsonObject>(reply), app);
  if (const auto* read = std::get_if<Metadata>(&metadata)) {
    must(parse_endpoint(read->endpoints.token, "token", PlainHttp::Never).ok());
  }
}

constexpr std::string_view kOurKeys =
    R"({"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})";

void check_signatures(std::string_view id_token, std::string_view keys) {
  const auto token = parse_id_token(id_token);
  const auto document = reply_of(200, keys);
  if (!token.ok() || std::get_if<ProviderError>(&document) != nullptr) return;
  const CryptoLibrary library = CryptoLibrary::load().value();
  for (const Jwk& key : read_jwks(std::get<JsonObject>(document))) {
    const bool right = signature_is_right(library, *token, key);
    must(!right || key.fits(token->algorithm, token->algorithm_name));
  }
  static_cast<void>(claims_problem(*token, {.issuer = "https://a.example", .client_id = "cid"}));
}

}  // namespace

// The first byte says what the rest is; with `j`, the first line is an id token and the rest keys.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view rest = input.substr(1);
  switch (input.front()) {
    case 't':
      read_answer(200, rest);
      break;
    case 'e':
      read_answer(400, rest);
      break;
    case 'm':
      read_issuer(rest);
      break;
    case 'i':
      check_signatures(rest, kOurKeys);
      break;
    case 'j': {
      const std::size_t line = std::min(rest.find('\n'), rest.size());
      check_signatures(rest.substr(0, line), rest.substr(std::min(line + 1, rest.size())));
      break;
    }
    default:
      break;
  }
  return 0;
}
