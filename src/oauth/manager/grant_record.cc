#include "oauth/manager/grant_record.h"

#include <algorithm>

#include "base/json_fields.h"
#include "base/sha256.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

constexpr std::string_view kGrantKind = "OAuthGrantRecord";

JsonObject token_json(const GrantRecord& grant) {
  JsonObject token{{"tokenType", grant.token_type}, {"accessToken", grant.access_token.reveal()}};
  if (!grant.refresh_token.empty()) token["refreshToken"] = grant.refresh_token.reveal();
  if (grant.expires_at) token["expiresAt"] = time_text(*grant.expires_at);
  if (grant.refreshed_at) token["refreshedAt"] = time_text(*grant.refreshed_at);
  return token;
}

void read_token(GrantRecord& grant, const JsonObject& token) {
  grant.token_type = text_field(token, "tokenType");
  grant.access_token = secret_field(token, "accessToken");
  grant.refresh_token = secret_field(token, "refreshToken");
  grant.expires_at = time_field(token, "expiresAt");
  grant.refreshed_at = time_field(token, "refreshedAt");
}

}  // namespace

std::string_view flow_name(OAuthAppResource::Flow flow) {
  return flow == OAuthAppResource::Flow::DeviceCode ? "device_code" : "authorization_code";
}

// None of the parts has a blank.
std::string client_of(const App& app) {
  const App::Endpoints& endpoints = app.endpoints;
  return app.client_id + " " + (endpoints.token.empty() ? endpoints.issuer : endpoints.token) +
         " " + app.resource;
}

std::string grant_id(std::string_view app, std::string_view subject) {
  std::string key = "OAuthApp/";
  key.append(app).append(":").append(subject);
  return "sha256:" + sha256_hex(key, 64);
}

Secret GrantRecord::to_text() const {
  JsonObject spec{{"provider", provider},
                  {"oauthAppRef", app_ref_json(app)},
                  {"subject", subject},
                  {"flow", flow_name(flow)},
                  {"scopesGranted", scopes_json(scopes)},
                  {"token", token_json(*this)},
                  {"createdAt", time_text(created_at)},
                  {"updatedAt", time_text(updated_at)},
                  {"revoked", standing == Standing::Revoked},
                  {"client", client},
                  {"authSessionId", session_id},
                  {"providerData", provider_data}};
  return record_text(kGrantKind, grant_id(app, subject), std::move(spec));
}

Result<GrantRecord> GrantRecord::from_text(const Secret& text) {
  const OpenedRecord record = GDN_TRY(OpenedRecord::open(text, kGrantKind));
  const JsonObject& spec = record.spec();
  GrantRecord grant;
  grant.app = app_ref_field(spec);
  grant.provider = text_field(spec, "provider");
  grant.subject = text_field(spec, "subject");
  if (text_field(spec, "flow") == flow_name(OAuthAppResource::Flow::DeviceCode))
    grant.flow = OAuthAppResource::Flow::DeviceCode;
  grant.scopes = scopes_field(spec, "scopesGranted");
  if (const JsonObject* token = object_field(spec, "token")) read_token(grant, *token);
  grant.created_at = time_field(spec, "createdAt").value_or(0);
  grant.updated_at = time_field(spec, "updatedAt").value_or(0);
  if (true_field(spec, "revoked")) grant.standing = Standing::Revoked;
  grant.client = text_field(spec, "client");
  grant.session_id = text_field(spec, "authSessionId");
  if (const JsonObject* data = object_field(spec, "providerData")) grant.provider_data = *data;
  return grant;
}

bool GrantRecord::valid_for(std::int64_t min_ttl, std::int64_t now) const {
  if (standing == Standing::Revoked || access_token.empty()) return false;
  if (!expires_at) return true;
  std::int64_t needed = min_ttl;
  const std::int64_t life = *expires_at - refreshed_at.value_or(updated_at);
  if (life <= min_ttl) {
    if (refreshed_at) needed = std::max<std::int64_t>(life / 2, 0);
    if (refresh_token.empty()) needed = 0;
  }
  return *expires_at - now > needed;
}

bool GrantRecord::refreshable() const {
  return standing == Standing::Good && !refresh_token.empty();
}

}  // namespace goondan::oauth
