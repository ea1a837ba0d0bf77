// Sets of scopes, in the order in which they were written.
#pragma once

#include "oauth/manager/record_json.h"

namespace goondan::oauth {

// Whether `granted` has all of `requested`. `offline_access` counts as covered: it asks for a
// refresh token, and many providers do not name it in their answer.
bool scopes_cover(const Scopes& granted, const Scopes& requested);

// Those of `answered` that were asked for: what a provider adds is not used.
Scopes scopes_in_both(const Scopes& answered, const Scopes& requested);

// `requested`, then what `others` has besides.
Scopes scopes_of_both(const Scopes& requested, const Scopes& others);

bool same_scopes(const Scopes& one, const Scopes& other);

}  // namespace goondan::oauth
