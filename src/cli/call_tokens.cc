#include "cli/call_tokens.h"

#include "cli/auth_parts.h"

namespace goondan::cli {
Result<Json> CallTokens::request(const Caller& caller, std::string_view method,
                                 const Json& params) {
  if (method != "oauth.getAccessToken") {
    return Error{.code = ErrorCode::RuntimeUnavailable,
                 .message = "no agents run here, so nobody answers '" + std::string(method) + "'",
                 .suggestion = "Let an agent call the tool: gdn run."};
  }
  oauth::TokenRequest request = GDN_TRY(oauth::TokenRequest::parse(params));
  request.auth = caller.scope.auth;
  Result<AuthParts> parts = open_auth_app(place_, request.app);
  if (!parts.ok()) {
    return oauth::to_json(oauth::TokenResult(
        oauth::TokenError{.code = "configurationError", .message = parts.error().message}));
  }
  oauth::Manager::Parts for_manager = parts->for_manager();
  for_manager.redactor = &redactor_;
  oauth::Manager manager(std::move(for_manager));
  return oauth::to_json(
      manager.get_access_token(request, {.deadline = caller.deadline, .stop = caller.stop}));
}

}  // namespace goondan::cli
