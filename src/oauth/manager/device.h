// Asking a provider whether a person has entered their code (RFC 8628).
#pragma once

#include <string>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

CallbackOutcome poll_session(Context& context, const std::string& id, const Limit& limit);

}  // namespace goondan::oauth
