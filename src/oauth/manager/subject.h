// On whose behalf a token is asked for.
#pragma once

#include <string>
#include <variant>

#include "oauth/manager.h"

namespace goondan::oauth {

// `turn.auth.subjects.user` or `.global`, as the application says; else `subjectUnavailable`.
std::variant<std::string, TokenError> subject_of(const App& app, const Json& auth);

}  // namespace goondan::oauth
