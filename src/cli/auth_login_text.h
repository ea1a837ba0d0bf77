// What `gdn auth login` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/auth_commands.h"
#include "oauth/manager.h"

namespace goondan::cli {

// The link or the code, at once: somebody may wait for it.
void print_login_link(const AuthLoginRequest& request, const oauth::AuthorizationRequired& link);

// Another program listens where the browser will come back to.
void print_taken_port(const Error& taken);

struct LoginEnd {
  std::string_view status = {};
  std::string message = {};
  ExitCode code = ExitCode::Auth;
};

// No outcome: the time was up, or it was interrupted.
enum class Interrupted { No, Yes };
LoginEnd login_end(const std::optional<oauth::CallbackOutcome>& outcome, Interrupted interrupted);

void print_login_end(const AuthLoginRequest& request, const LoginEnd& end,
                     const std::string& subject, const std::optional<oauth::GrantInfo>& grant);

}  // namespace goondan::cli
