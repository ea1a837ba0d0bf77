// Endpoints that need not be written down.
#pragma once

#include <string_view>

#include "oauth/app.h"

namespace goondan::oauth {

inline constexpr std::string_view kSlack = "slack";

inline App::Endpoints known_endpoints(std::string_view provider) {
  if (provider != kSlack) return {};
  return {.authorization = "https://slack.com/oauth/v2/authorize",
          .token = "https://slack.com/api/oauth.v2.access",
          .revocation = "https://slack.com/api/auth.revoke"};
}

}  // namespace goondan::oauth
