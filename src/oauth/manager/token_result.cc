#include "oauth/manager.h"
#include "oauth/manager/record_json.h"

namespace goondan::oauth {
namespace {

Json result_json(const TokenReady& ready) {
  JsonObject json{{"status", "ready"},
                  {"accessToken", ready.access_token.reveal()},
                  {"tokenType", ready.token_type}};
  if (!ready.expires_at.empty()) json["expiresAt"] = ready.expires_at;
  json["scopes"] = scopes_json(ready.scopes);
  return json;
}

Json result_json(const AuthorizationRequired& required) {
  JsonObject json{{"status", "authorization_required"},
                  {"authSessionId", required.session_id},
                  {"authorizationUrl", required.authorization_url},
                  {"expiresAt", required.expires_at},
                  {"message", required.message}};
  if (!required.user_code.empty()) {
    json["verificationUri"] = required.verification_uri;
    json["userCode"] = required.user_code;
  }
  return json;
}

Json result_json(const TokenError& error) {
  return JsonObject{{"status", "error"},
                    {"error", JsonObject{{"code", error.code}, {"message", error.message}}}};
}

}  // namespace

Json to_json(const TokenResult& result) {
  return std::visit([](const auto& one) { return result_json(one); }, result);
}

Json PendingSession::to_item() const {
  JsonObject item{{"authSessionId", id},
                  {"oauthAppRef", app_ref_json(app)},
                  {"provider", provider},
                  {"subjectMode", subject_mode},
                  {"authorizationUrl", authorization_url},
                  {"expiresAt", expires_at},
                  {"message", message}};
  if (!user_code.empty()) {
    item["verificationUri"] = verification_uri;
    item["userCode"] = user_code;
  }
  return item;
}

}  // namespace goondan::oauth
