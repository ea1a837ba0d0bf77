#include "oauth/app.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "net/url.h"
#include "oauth/provider/endpoint_url.h"
#include "oauth/provider/known_endpoints.h"
#include "oauth/provider/token_answer.h"

namespace goondan::oauth {
namespace {

using Flow = OAuthAppResource::Flow;

constexpr std::size_t kMaxClientId = 1024;

Error bad_app(const OAuthAppResource& resource, const std::string& message,
              std::string suggestion = {}) {
  return {.code = ErrorCode::Config,
          .message = "OAuthApp/" + resource.meta.name + ": " + message,
          .suggestion = std::move(suggestion)};
}

Error in_app(const OAuthAppResource& resource, std::string_view field, Error error) {
  const std::string where = field.empty() ? "" : "`" + std::string(field) + "`: ";
  error.message = "OAuthApp/" + resource.meta.name + ": " + where + error.message;
  return error;
}

Result<void> read_app_client(const OAuthAppResource& resource,
                             const ValueSource::Environment& environment, App& app) {
  const auto id = resource.client_id.resolve(environment, ValueSource::Required::Yes, "clientId");
  if (!id.ok()) return in_app(resource, "client.clientId", id.error());
  app.client_id = id->value_or("");
  if (!is_token_text(app.client_id, kMaxClientId)) {
    return bad_app(resource, "`client.clientId` is empty or has characters that none may have");
  }
  if (!resource.client_secret) return {};
  auto secret =
      resource.client_secret->resolve(environment, ValueSource::Required::Yes, "clientSecret");
  if (!secret.ok()) return in_app(resource, "client.clientSecret", secret.error());
  std::string text = secret->value_or("");
  if (text.empty()) return bad_app(resource, "`client.clientSecret` is empty");
  app.client_secret = std::make_shared<const Secret>(Secret::taken_from(text));
  return {};
}

Result<void> read_app_endpoints(const OAuthAppResource& resource, App& app) {
  app.endpoints = known_endpoints(app.provider);
  app.endpoints.issuer = resource.issuer;
  const std::pair<const char*, std::string*> fields[] = {
      {"authorizationUrl", &app.endpoints.authorization},
      {"tokenUrl", &app.endpoints.token},
      {"revokeUrl", &app.endpoints.revocation},
      {"userInfoUrl", &app.endpoints.user_info},
      {"deviceAuthorizationUrl", &app.endpoints.device_authorization},
      {"jwksUrl", &app.endpoints.jwks}};
  for (const auto& [name, text] : fields) {
    const auto written = resource.endpoints.find(name);
    if (written != resource.endpoints.end()) *text = written->second;
    if (text->empty()) continue;
    const auto url = parse_endpoint(*text, "endpoints." + std::string(name));
    if (!url.ok()) return in_app(resource, "", url.error());
  }
  // A token does not go to somebody who has not given it.
  const bool elsewhere = app.endpoints.token != known_endpoints(app.provider).token;
  if (elsewhere && !resource.endpoints.contains("revokeUrl")) app.endpoints.revocation.clear();
  if (resource.issuer.empty()) return {};
  const auto issuer = parse_endpoint(resource.issuer, "issuer");
  if (!issuer.ok()) return in_app(resource, "", issuer.error());
  if (!issuer->query.empty()) return bad_app(resource, "`issuer` has a query");
  return {};
}

// With an issuer everything that is not there is asked for; without one it must be there.
Result<void> decide_discovery(const OAuthAppResource& resource, App& app) {
  const bool by_code = app.flow == Flow::AuthorizationCode;
  const std::string missing = app.endpoints.token.empty()                      ? "tokenUrl"
                              : by_code && app.endpoints.authorization.empty() ? "authorizationUrl"
                              : !by_code && app.endpoints.device_authorization.empty()
                                  ? "deviceAuthorizationUrl"
                                  : "";
  if (!resource.issuer.empty()) {
    const bool complete = missing.empty() && !app.endpoints.jwks.empty();
    app.discovery = complete ? App::Discovery::No : App::Discovery::Yes;
    return {};
  }
  if (!missing.empty()) {
    return bad_app(resource, "`endpoints." + missing + "` is missing",
                   "Add it, or the `issuer` whose metadata names it.");
  }
  if (!app.endpoints.jwks.empty()) {
    return bad_app(resource, "`endpoints.jwksUrl` needs `issuer`", "Add it.");
  }
  return {};
}

Result<void> read_app_redirect(const OAuthAppResource& resource, App& app) {
  app.callback_path = resource.callback_path.empty() ? "/oauth/callback/" + resource.meta.name
                                                     : resource.callback_path;
  app.listen_port = resource.redirect_port;
  const auto path = net::Url::parse("http://127.0.0.1" + app.callback_path);
  if (!app.callback_path.starts_with('/') || !path.ok() || path->path != app.callback_path) {
    return bad_app(resource, "`redirect.callbackPath` is no path",
                   "It begins with `/` and has no query.");
  }
  app.base_url = resource.base_url;
  while (app.base_url.ends_with('/')) {
    app.base_url.pop_back();
  }
  if (app.base_url.empty()) return {};
  const auto base = parse_endpoint(app.base_url, "redirect.baseUrl");
  if (!base.ok()) return in_app(resource, "", base.error());
  if (!base->query.empty()) return bad_app(resource, "`redirect.baseUrl` has a query");
  return {};
}

Result<void> read_user_scopes(const OAuthAppResource& resource, const Json& value, App& app) {
  const Error wrong = bad_app(resource, "`options.userScopes` must list some of `scopes`");
  if (!value.is_array()) return wrong;
  for (const Json& scope : value.get_array()) {
    if (!scope.is_string()) return wrong;
    const std::string text(scope.get_string());
    if (std::ranges::find(app.scopes, text) == app.scopes.end()) return wrong;
    app.user_scopes.push_back(text);
  }
  return {};
}

Result<void> read_app_option(const OAuthAppResource& resource, std::string_view name,
                             const Json& value, App& app) {
  if (name == "userScopes") return read_user_scopes(resource, value, app);
  if (name == "tokenEndpointAuthMethod") {
    const bool basic = value == Json("client_secret_basic");
    if (!basic && value != Json("client_secret_post")) {
      return bad_app(resource,
                     "`options.tokenEndpointAuthMethod` must be `client_secret_post` or "
                     "`client_secret_basic`");
    }
    if (basic) app.client_authentication = App::ClientAuthentication::Basic;
    return {};
  }
  if (value.is_object() || value.is_array() || value.is_null()) {
    return bad_app(resource, "`options." + std::string(name) + "` must be text");
  }
  app.options.emplace_back(name,
                           value.is_string() ? std::string(value.get_string()) : to_text(value));
  return {};
}

Result<void> check_resource(const OAuthAppResource& resource) {
  const std::string& text = resource.resource;
  if (text.empty()) return {};
  const bool absolute = text.find(':') != std::string::npos && text.find('#') == std::string::npos;
  if (absolute && is_token_text(text)) return {};
  return bad_app(resource, "`resource` must be an absolute URI without a fragment");
}

}  // namespace

Result<App> make_app(const OAuthAppResource& resource,
                     const ValueSource::Environment& environment) {
  App app{.name = resource.meta.name,
          .provider = resource.provider,
          .flow = resource.flow,
          .subject_mode = resource.subject_mode,
          .scopes = resource.scopes,
          .resource = resource.resource};
  GDN_TRY(read_app_client(resource, environment, app));
  GDN_TRY(read_app_endpoints(resource, app));
  GDN_TRY(decide_discovery(resource, app));
  GDN_TRY(read_app_redirect(resource, app));
  GDN_TRY(check_resource(resource));
  for (const auto& option : resource.options) {
    GDN_TRY(read_app_option(resource, option.key(), option.value(), app));
  }
  return app;
}

}  // namespace goondan::oauth
