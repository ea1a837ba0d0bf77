#include "oauth/provider/generic.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "oauth/provider/endpoint_url.h"
#include "oauth/provider/scopes.h"

namespace goondan::oauth {
namespace {

// Never taken from `options` or the query of the written URL: they decide where the answer goes and
// what it is bound to.
constexpr std::array<std::string_view, 14> kOwnNames = {
    "client_id", "client_secret", "code_challenge", "code_challenge_method",
    "nonce",     "redirect_uri",  "request",        "request_uri",
    "resource",  "response_mode", "response_type",  "scope",
    "state",     "user_scope"};

bool is_own_name(std::string_view name) {
  return std::ranges::find(kOwnNames, name) != kOwnNames.end();
}

// What the operator has written into the application may be reached wherever it is.
net::HostPolicy with_written(net::HostPolicy policy, const App::Endpoints& endpoints) {
  for (const std::string* text :
       {&endpoints.issuer, &endpoints.token, &endpoints.revocation, &endpoints.user_info,
        &endpoints.device_authorization, &endpoints.jwks}) {
    const Result<net::Url> url = net::Url::parse(*text);
    if (url.ok()) policy = policy.with({.host = url->host, .port = url->port});
  }
  return policy;
}

// The parameters of an encoded query (with its `?`) that are not ours.
std::string foreign_query(std::string_view query) {
  std::string kept;
  while (!query.empty()) {
    query.remove_prefix(1);  // `?` or `&`
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    if (!one.empty() && !is_own_name(parameter_name(one))) kept += std::string(one) + "&";
    query.remove_prefix(end);
  }
  return kept;
}

}  // namespace

GenericProvider::GenericProvider(App app, net::HttpClient& http, net::HostPolicy policy)
    : app_(std::move(app)), caller_(http, with_written(std::move(policy), app_.endpoints)) {}

bool GenericProvider::promises_issuer() const {
  const std::scoped_lock lock(mutex_);
  return metadata_ && metadata_->promises_issuer;
}

App::Endpoints GenericProvider::known_now() const {
  const std::scoped_lock lock(mutex_);
  return metadata_ ? merged_endpoints(app_.endpoints, metadata_->endpoints) : app_.endpoints;
}

std::string_view GenericProvider::client_secret() const {
  return app_.client_secret == nullptr ? std::string_view() : app_.client_secret->reveal();
}

Answer<Metadata> GenericProvider::discover(const Limit& limit) const {
  std::optional<ProviderError> first;
  for (const std::string& url : metadata_urls(app_.endpoints.issuer)) {
    const auto reply = caller_.get({.name = "the metadata at", .url = url}, limit);
    if (const ProviderError* error = error_of(reply)) return *error;
    const auto document = read_reply(std::get<EndpointReply>(reply), {});
    if (const auto* object = std::get_if<JsonObject>(&document))
      return read_metadata(*object, app_);
    if (!first) first = std::get<ProviderError>(document);
    if (std::get<ProviderError>(document).refusal == Refusal::Retry) break;
  }
  return *first;
}

Answer<std::monostate> GenericProvider::prepare(const Limit& limit) {
  const auto ready = endpoints(limit);
  if (const ProviderError* error = error_of(ready)) return *error;
  return std::monostate{};
}

Answer<App::Endpoints> GenericProvider::endpoints(const Limit& limit) {
  const bool known = [this] {
    const std::scoped_lock lock(mutex_);
    return metadata_.has_value();
  }();
  if (app_.discovery == App::Discovery::Yes && !known) {
    auto found = discover(limit);
    if (const ProviderError* error = error_of(found)) return *error;
    const std::scoped_lock lock(mutex_);
    metadata_ = std::move(std::get<Metadata>(found));
  }
  return known_now();
}

void GenericProvider::add_scopes(const std::vector<std::string>& scopes,
                                 Parameters& parameters) const {
  if (!scopes.empty()) parameters.emplace_back("scope", joined_scopes(scopes, ' '));
}

std::string GenericProvider::authorization_url(const AuthorizationRequest& request) const {
  const App::Endpoints known = known_now();
  // Providers refuse a nonce without the scope that brings id tokens.
  const bool id_token = std::ranges::find(request.scopes, "openid") != request.scopes.end();
  Parameters parameters{{"response_type", "code"},
                        {"client_id", app_.client_id},
                        {"redirect_uri", request.redirect_uri},
                        {"state", std::string(request.state)},
                        {"code_challenge", std::string(request.code_challenge)},
                        {"code_challenge_method", "S256"}};
  add_scopes(request.scopes, parameters);
  if (!app_.resource.empty()) parameters.emplace_back("resource", app_.resource);
  if (id_token && !request.nonce.empty()) parameters.emplace_back("nonce", request.nonce);
  for (const auto& option : app_.options) {
    if (!is_own_name(option.first)) parameters.push_back(option);
  }
  Result<net::Url> url = net::Url::parse(known.authorization);
  if (!url.ok()) return {};
  url->query = "?" + foreign_query(url->query) + form_encoded(parameters);
  return url->text();
}

}  // namespace goondan::oauth
