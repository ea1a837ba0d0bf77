#include "oauth/provider/metadata.h"

#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "oauth/provider/endpoint_url.h"
#include "oauth/provider/refusal.h"

namespace goondan::oauth {
namespace {

ProviderError unusable_metadata(const App& app, const std::string& problem) {
  return broken("unusable_metadata",
                "the metadata of " + app.endpoints.issuer + " is unusable: " + problem);
}

struct MetadataField {
  const char* name;
  std::string App::Endpoints::*endpoint;
};

constexpr MetadataField kMetadataFields[] = {
    {"authorization_endpoint", &App::Endpoints::authorization},
    {"token_endpoint", &App::Endpoints::token},
    {"revocation_endpoint", &App::Endpoints::revocation},
    {"userinfo_endpoint", &App::Endpoints::user_info},
    {"device_authorization_endpoint", &App::Endpoints::device_authorization},
    {"jwks_uri", &App::Endpoints::jwks}};

bool lists_word(const JsonObject& document, std::string_view key, std::string_view word) {
  const JsonArray* list = array_field(document, key);
  return list != nullptr && std::ranges::any_of(*list, [word](const Json& item) {
           return item.is_string() && std::string_view(item.get_string()) == word;
         });
}

std::string missing_endpoint(const App& app, const App::Endpoints& all) {
  if (all.token.empty()) return "token_endpoint";
  const bool by_code = app.flow == OAuthAppResource::Flow::AuthorizationCode;
  if (by_code && all.authorization.empty()) return "authorization_endpoint";
  if (!by_code && all.device_authorization.empty()) return "device_authorization_endpoint";
  return {};
}

}  // namespace

std::vector<std::string> metadata_urls(const std::string& issuer) {
  const std::string base = issuer.ends_with('/') ? issuer.substr(0, issuer.size() - 1) : issuer;
  const std::size_t host = base.find("://") + 3;
  const std::size_t path = std::min(base.find('/', host), base.size());
  return {base + "/.well-known/openid-configuration",
          base.substr(0, path) + "/.well-known/oauth-authorization-server" + base.substr(path)};
}

Answer<Metadata> read_metadata(const JsonObject& document, const App& app) {
  if (text_field(document, "issuer") != app.endpoints.issuer) {
    return unusable_metadata(app, "it is that of another issuer");
  }
  const bool by_code = app.flow == OAuthAppResource::Flow::AuthorizationCode;
  if (by_code && !lists_word(document, "code_challenge_methods_supported", "S256")) {
    return unusable_metadata(app, "it does not list S256 for PKCE");
  }
  const Result<net::Url> issuer = parse_endpoint(app.endpoints.issuer, "issuer");
  const bool local = issuer.ok() && is_loopback(*issuer);
  Metadata read{.promises_issuer =
                    true_field(document, "authorization_response_iss_parameter_supported")};
  for (const MetadataField& field : kMetadataFields) {
    const std::string text = text_field(document, field.name);
    if (text.empty()) continue;
    const auto url =
        parse_endpoint(text, field.name, local ? PlainHttp::ForLoopback : PlainHttp::Never);
    if (!url.ok()) return unusable_metadata(app, url.error().message);
    read.endpoints.*field.endpoint = text;
  }
  const std::string missing =
      missing_endpoint(app, merged_endpoints(app.endpoints, read.endpoints));
  if (!missing.empty()) return unusable_metadata(app, "it has no `" + missing + "`");
  return read;
}

App::Endpoints merged_endpoints(App::Endpoints written, const App::Endpoints& discovered) {
  for (const MetadataField& field : kMetadataFields) {
    if ((written.*field.endpoint).empty()) written.*field.endpoint = discovered.*field.endpoint;
  }
  return written;
}

}  // namespace goondan::oauth
