// Keeping the sessions of the store few and true.
#pragma once

#include <vector>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

// Marks what is too old, settles what was interrupted, removes what has long been over. Returns
// what is pending. A session that another is working on is left to them.
Result<std::vector<StoredSession>> tidy_sessions(Context& context);

}  // namespace goondan::oauth
