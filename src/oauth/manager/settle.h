// The end of a session: from the tokens that a provider gave to a stored grant, or to none.
#pragma once

#include <string>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

// Checks whose tokens these are, stores the grant, and completes the session. If any of that
// fails, the tokens are revoked at once, the session has failed, and there is no new grant. The
// caller has the session's lock.
CallbackOutcome settle_with_tokens(Context& context, const App& app, StoredSession& session,
                                   Tokens tokens, std::int64_t asked_at, const Limit& limit);

// The session ends without a grant.
CallbackOutcome settle_without(Context& context, StoredSession& session, SessionStatus status,
                               std::string problem);

// What is shown of a session that is over.
CallbackOutcome outcome_of(const SessionRecord& session, CallbackOutcome::Page page,
                           std::string problem);

// What the agent that waits is told.
GrantedEvent granted_event(const SessionRecord& session);

}  // namespace goondan::oauth
