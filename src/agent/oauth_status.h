// What a model may know of the connections of the person it acts for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "oauth/manager.h"

namespace goondan::agent {

// Borrowed for the length of the call.
struct StatusQuery {
  const std::vector<oauth::App>& apps;
  const std::map<std::string, std::string, std::less<>>& unusable;  // application -> why
  const Json& auth;                                                 // `turn.auth`
  const JsonObject& params;  // {app?: one name, apps?: the names to know; empty: all}
};

// `{apps: [{app, provider, status: connected | consent_needed | unusable, scopes?,
// expiresAt?, authorizationUrl?, problem?}]}`. Only what belongs to a subject of `auth`; no secret.
Result<Json> oauth_status(oauth::Manager& manager, const StatusQuery& query);

// Whether `subject` is one of `auth.subjects`.
bool acts_for(const Json& auth, std::string_view subject);

}  // namespace goondan::agent
