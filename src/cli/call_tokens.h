// What a tool may ask for under `gdn call`: tokens that somebody has agreed to before.
#pragma once

#include <goondan/executor.h>

#include "cli/auth_commands.h"

namespace goondan::cli {

// Answers `oauth.getAccessToken`. Nobody is asked for consent: the command would be over before
// they could answer. Thread-safe.
class CallTokens final : public CallRuntime {
 public:
  CallTokens(AuthPlace place, Redactor& redactor) : place_(std::move(place)), redactor_(redactor) {}

  Result<Json> request(const Caller& caller, std::string_view method, const Json& params) override;

 private:
  AuthPlace place_;
  Redactor& redactor_;
};

}  // namespace goondan::cli
