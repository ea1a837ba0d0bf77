// `OAuthGrantRecord` (S3 §12.5.4): what somebody has agreed to, and the tokens for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oauth/app.h"
#include "oauth/manager/record_json.h"

namespace goondan::oauth {

struct GrantRecord {
  std::string app = {};
  std::string provider = {};
  std::string subject = {};
  OAuthAppResource::Flow flow = OAuthAppResource::Flow::AuthorizationCode;
  Scopes scopes = {};
  std::string token_type = "bearer";
  Secret access_token = {};
  Secret refresh_token = {};  // empty: none
  std::optional<std::int64_t> expires_at = {};
  // When the token came by a refresh; none: it came with the consent.
  std::optional<std::int64_t> refreshed_at = {};
  std::int64_t created_at = 0;
  std::int64_t updated_at = 0;
  enum class Standing { Good, Revoked } standing = Standing::Good;
  std::string client = {};      // whom it was given to; see `client_of`
  std::string session_id = {};  // the session it came from
  JsonObject provider_data = {};

  [[nodiscard]] Secret to_text() const;
  static Result<GrantRecord> from_text(const Secret& text);

  // For more than `min_ttl` seconds. No expiry: for ever. A provider whose tokens never live that
  // long cannot do better than a new one: such a token, once refreshed, is good for half its life.
  // One that cannot be refreshed is good to its end, else its person would be asked without end.
  [[nodiscard]] bool valid_for(std::int64_t min_ttl, std::int64_t now) const;
  // Still to be used at all.
  [[nodiscard]] bool alive(std::int64_t now) const { return valid_for(0, now); }
  [[nodiscard]] bool refreshable() const;
};

// As whom an application is known, to whom, and for which resource. All bundles share the store,
// and applications of the same name may be different ones: what one was given is not shown to the
// service of another.
std::string client_of(const App& app);

// `sha256:<hash of app and subject>`: a name that tells nothing.
std::string grant_id(std::string_view app, std::string_view subject);

std::string_view flow_name(OAuthAppResource::Flow flow);  // as records spell it

}  // namespace goondan::oauth
