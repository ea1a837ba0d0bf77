#include "cli/auth_login_text.h"

#include <cstdio>

#include "cli/auth_parts.h"
#include "cli/terminal.h"

namespace goondan::cli {

void print_login_link(const AuthLoginRequest& request, const oauth::AuthorizationRequired& link) {
  if (request.json == Answer::Yes) {
    JsonObject line{{"authSessionId", link.session_id},
                    {"authorizationUrl", link.authorization_url},
                    {"expiresAt", link.expires_at}};
    if (!link.user_code.empty()) {
      line["verificationUri"] = link.verification_uri;
      line["userCode"] = link.user_code;
    }
    print_line(to_text(line));
  } else if (link.user_code.empty()) {
    print_line("Open this address in a browser to connect " + request.app + ":\n\n  " +
               printable(link.authorization_url) + "\n");
  } else {
    print_line("To connect " + request.app + ", open\n\n  " + printable(link.verification_uri) +
               "\n\nand enter the code\n\n  " + printable(link.user_code) + "\n");
  }
  std::fflush(stdout);
  if (request.json == Answer::No)
    print_error_line("waiting until " + printable(link.expires_at) + "; Ctrl-C gives up");
}

void print_taken_port(const Error& taken) {
  print_error_line("gdn: " + printable(taken.message) +
                   ". Unless that is gdn, the browser cannot come back here: end it, or give the "
                   "OAuthApp another port.");
}

LoginEnd login_end(const std::optional<oauth::CallbackOutcome>& outcome, Interrupted interrupted) {
  if (interrupted == Interrupted::Yes) return {"abandoned", "given up", ExitCode::Interrupted};
  if (!outcome) return {"timeout", "nobody agreed in time", ExitCode::Auth};
  switch (outcome->page) {
    case oauth::CallbackOutcome::Page::Connected:
      return {"connected", "", ExitCode::Ok};
    case oauth::CallbackOutcome::Page::Refused:
      return {"refused", "consent was refused", ExitCode::Auth};
    case oauth::CallbackOutcome::Page::Expired:
      return {"expired", "nobody agreed before the link was too old", ExitCode::Auth};
    default:
      break;
  }
  return {"failed",
          outcome->problem.empty() ? "it did not work" : "it did not work: " + outcome->problem,
          ExitCode::Auth};
}

void print_login_end(const AuthLoginRequest& request, const LoginEnd& end,
                     const std::string& subject, const std::optional<oauth::GrantInfo>& grant) {
  if (request.json == Answer::Yes) {
    JsonObject line{{"status", end.status}, {"app", request.app}, {"subject", subject}};
    if (!end.message.empty()) line["message"] = end.message;
    if (grant) line["grant"] = grant_json(*grant);
    return print_line(to_text(line));
  }
  if (end.code != ExitCode::Ok)
    return print_error(
        {.code = ErrorCode::Service, .message = request.app + " is not connected: " + end.message});
  print_line("Connected: " + request.app + " for " + printable(subject) +
             (grant ? ", scopes: " + printable(joined_scopes(grant->scopes)) : std::string()));
}

}  // namespace goondan::cli
