// Whose tokens are these (S3 §12.5.6, 5)?
#pragma once

#include <string>

#include "oauth/manager/context.h"

namespace goondan::oauth {

// Empty if they belong to the session's subject. For a user that must be proved; for a workspace it
// is enough that the provider does not say otherwise, since many know of no such thing.
std::string wrong_owner(Context& context, const App& app, const SessionRecord& session,
                        const Tokens& tokens, const Limit& limit);

}  // namespace goondan::oauth
