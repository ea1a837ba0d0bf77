// A browser came back from the provider.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

using QueryParameters = std::vector<std::pair<std::string, std::string>>;

CallbackOutcome complete_session(Context& context, const QueryParameters& parameters,
                                 const Limit& limit);

}  // namespace goondan::oauth
