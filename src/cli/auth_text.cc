// Grants as they are shown.
#include "cli/auth_parts.h"

namespace goondan::cli {

std::string_view grant_state_text(oauth::GrantInfo::State state) {
  using State = oauth::GrantInfo::State;
  switch (state) {
    case State::Valid:
      return "valid";
    case State::Expired:
      return "expired";
    case State::Revoked:
      return "revoked";
    case State::OfAnother:
      return "of another application";
  }
  return "revoked";
}

Json grant_json(const oauth::GrantInfo& grant) {
  JsonArray scopes(grant.scopes.begin(), grant.scopes.end());
  JsonObject object{{"grantId", grant.id},
                    {"app", grant.app},
                    {"provider", grant.provider},
                    {"subject", grant.subject},
                    {"scopes", std::move(scopes)},
                    {"state", grant_state_text(grant.state)},
                    {"refreshable", grant.refreshable},
                    {"createdAt", grant.created_at},
                    {"updatedAt", grant.updated_at}};
  if (!grant.expires_at.empty()) object["expiresAt"] = grant.expires_at;
  return object;
}

std::string joined_scopes(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& scope : scopes)
    text += (text.empty() ? "" : " ") + scope;
  return text;
}

}  // namespace goondan::cli
