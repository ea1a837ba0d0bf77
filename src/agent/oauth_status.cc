#include "agent/oauth_status.h"

#include <algorithm>

#include "base/json_fields.h"

namespace goondan::agent {
namespace {

bool asked_for(const JsonObject& params, const std::string& app) {
  const std::string one = text_field(params, "app");
  if (!one.empty() && one != app) return false;
  const JsonArray* known = array_field(params, "apps");
  if (known == nullptr || known->empty()) return true;
  return std::ranges::find(*known, Json(app)) != known->end();
}

void add_grant(JsonObject& item, const oauth::GrantInfo& grant) {
  const bool usable = grant.state == oauth::GrantInfo::State::Valid ||
                      (grant.state == oauth::GrantInfo::State::Expired && grant.refreshable);
  item["status"] = usable ? "connected" : "consent_needed";
  item["scopes"] = JsonArray(grant.scopes.begin(), grant.scopes.end());
  if (!grant.expires_at.empty()) item["expiresAt"] = grant.expires_at;
}

}  // namespace

bool acts_for(const Json& auth, std::string_view subject) {
  const JsonObject* subjects = object_field(object_or_empty(auth), "subjects");
  if (subjects == nullptr || subject.empty()) return false;
  return std::ranges::any_of(*subjects, [subject](const auto& one) {
    return one.value().is_string() && one.value().get_string() == subject;
  });
}

Result<Json> oauth_status(oauth::Manager& manager, const StatusQuery& query) {
  const std::vector<oauth::GrantInfo> grants = GDN_TRY(manager.grants());
  const std::vector<oauth::PendingSession> pending = GDN_TRY(manager.pending_sessions());
  JsonArray items;
  for (const oauth::App& app : query.apps) {
    if (!asked_for(query.params, app.name)) continue;
    JsonObject item{{"app", app.name}, {"provider", app.provider}, {"status", "consent_needed"}};
    for (const oauth::GrantInfo& grant : grants) {
      if (grant.app == app.name && acts_for(query.auth, grant.subject)) add_grant(item, grant);
    }
    for (const oauth::PendingSession& session : pending) {
      if (session.app == app.name && acts_for(query.auth, session.subject))
        item["authorizationUrl"] = session.authorization_url;
    }
    items.push_back(std::move(item));
  }
  for (const auto& [app, why] : query.unusable) {
    if (asked_for(query.params, app))
      items.push_back(JsonObject{{"app", app}, {"status", "unusable"}, {"problem", why}});
  }
  return JsonObject{{"apps", std::move(items)}};
}

}  // namespace goondan::agent
