// Asking somebody for consent: a new session, or the one that they have been asked with already.
#pragma once

#include <optional>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

// A request that has passed the checks which need nobody else.
struct Asked {
  const App& app;
  std::string subject;
  Scopes scopes;
  std::optional<Resume> resume;
};

enum class Reuse { Allowed, Never };

// `AuthorizationRequired`, or an error: `configurationError`, `providerUnavailable`,
// `tooManySessions`, `storeFailed`.
TokenResult begin_consent(Context& context, const Asked& asked, Reuse reuse, const Limit& limit);

AuthorizationRequired as_result(const SessionRecord& session);

}  // namespace goondan::oauth
