// What a browser that came back is shown: a few words without a script, and nothing of what was in
// its address.
#pragma once

#include <string>

#include "oauth/manager.h"

namespace goondan::oauth {

// Whole answers, head and body.
std::string outcome_answer(const CallbackOutcome& outcome);
// For a request that is none of the callback's: 400, 404, 405, 408, 431, 503, 505.
std::string refusal_answer(int status);

}  // namespace goondan::oauth
