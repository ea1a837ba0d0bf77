// What is behind a `Manager`.
#pragma once

#include <optional>

#include "oauth/manager/begin.h"
#include "oauth/manager/refresh.h"

namespace goondan::oauth {

struct Manager::State {
  explicit State(Parts parts) : context(std::move(parts)), refresher(context) {}

  // Nothing: somebody must agree.
  std::optional<TokenResult> use_grant(const Asked& asked, const StoredGrant& grant,
                                       std::int64_t min_ttl, const Limit& limit);
  std::optional<TokenResult> renew_grant(const Asked& asked, const StoredGrant& grant,
                                         std::int64_t min_ttl, const Limit& limit);

  Context context;
  Refresher refresher;
};

}  // namespace goondan::oauth
