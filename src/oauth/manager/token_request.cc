#include <cmath>

#include <goondan/resources.h>

#include "base/json_fields.h"
#include "oauth/manager.h"

namespace goondan::oauth {
namespace {

constexpr std::int64_t kMaxMinTtlSeconds = std::int64_t{10} * 366 * 24 * 3600;

Error bad_token_request(std::string what, std::string suggestion) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = std::move(what),
          .suggestion = std::move(suggestion)};
}

Result<std::string> requested_app(const JsonObject& params) {
  const Json ref = any_field(params, "oauthAppRef");
  const std::string suggestion = "Write `oauthAppRef: { kind: OAuthApp, name: <its name> }`.";
  if (ref.is_null()) return bad_token_request("oauthAppRef is missing", suggestion);
  Result<ObjectRef> parsed = ObjectRef::parse(ref);
  if (!parsed.ok()) return bad_token_request("oauthAppRef is no reference", suggestion);
  if (parsed->kind != "OAuthApp") {
    return bad_token_request("oauthAppRef is a reference to " + parsed->text(), suggestion);
  }
  return parsed->name;
}

Result<std::vector<std::string>> requested_scopes(const Json& value) {
  std::vector<std::string> scopes;
  const Error wrong =
      bad_token_request("scopes is no list of names", "Write `scopes: [\"chat:write\"]`.");
  if (!value.is_array()) return wrong;
  for (const Json& scope : value.get_array()) {
    if (!scope.is_string()) return wrong;
    scopes.emplace_back(scope.get_string());
  }
  return scopes;
}

Result<std::int64_t> requested_ttl(const Json& value) {
  double seconds = -1;
  if (value.is_int64()) seconds = static_cast<double>(value.get_int64());
  if (value.is_uint64()) seconds = static_cast<double>(value.get_uint64());
  if (value.is_double()) seconds = value.get_double();
  if (seconds >= 0 && seconds <= static_cast<double>(kMaxMinTtlSeconds)) {
    return static_cast<std::int64_t>(std::ceil(seconds));
  }
  return bad_token_request("minTtlSeconds is no number of seconds", "Write `minTtlSeconds: 300`.");
}

}  // namespace

Result<TokenRequest> TokenRequest::parse(const Json& params) {
  if (!params.is_object()) {
    return bad_token_request("a token is asked for with an object",
                             "Write `{ oauthAppRef: { kind: \"OAuthApp\", name: ... } }`.");
  }
  const JsonObject& object = params.get_object();
  TokenRequest request;
  request.app = GDN_TRY(requested_app(object));
  const Json scopes = any_field(object, "scopes");
  if (!scopes.is_null()) request.scopes = GDN_TRY(requested_scopes(scopes));
  const Json ttl = any_field(object, "minTtlSeconds");
  if (!ttl.is_null()) request.min_ttl_seconds = GDN_TRY(requested_ttl(ttl));
  return request;
}

}  // namespace goondan::oauth
