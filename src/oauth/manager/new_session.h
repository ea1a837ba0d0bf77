// A session that is not stored yet.
#pragma once

#include <variant>

#include "oauth/manager/begin.h"

namespace goondan::oauth {

// `redirect_uri` is where the browser comes back to; nothing for a device code. The provider has
// been prepared.
std::variant<SessionRecord, TokenError> new_session(Context& context, const Asked& asked,
                                                    const std::string& redirect_uri,
                                                    const Limit& limit);

// `providerUnavailable` if it may be better later, else `configurationError`.
TokenError provider_failure(const App& app, const ProviderError& error);

}  // namespace goondan::oauth
