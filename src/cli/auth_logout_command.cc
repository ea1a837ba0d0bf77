#include "cli/auth_parts.h"
#include "cli/interrupt.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

constexpr std::chrono::seconds kRevokeTime{30};

Error nothing_to_log_out(const AuthLogoutRequest& request) {
  return {.code = ErrorCode::NotFound,
          .message = "OAuthApp/" + request.app + " has no token" +
                     (request.subject.empty() ? "" : " of " + request.subject),
          .suggestion = "gdn auth list shows what is connected."};
}

// Whose tokens go.
Result<std::vector<std::string>> leaving_subjects(const AuthLogoutRequest& request,
                                                  oauth::Manager& manager) {
  const std::string given = GDN_TRY(subject_text(request.subject, {}));
  std::vector<std::string> subjects;
  std::string all;
  for (const oauth::GrantInfo& grant : GDN_TRY(manager.grants())) {
    if (grant.app != request.app || (!given.empty() && grant.subject != given)) continue;
    subjects.push_back(grant.subject);
    all += (all.empty() ? "" : ", ") + grant.subject;
  }
  if (subjects.empty()) return nothing_to_log_out(request);
  if (subjects.size() > 1 && request.all == Answer::No) {
    return Error{.code = ErrorCode::Usage,
                 .message = "OAuthApp/" + request.app + " has more than one token: " + all,
                 .suggestion = "Say which with --subject, or --all."};
  }
  return subjects;
}

// A token can be forgotten without its application; only nobody can be told then.
Result<AuthParts> open_for_logout(const AuthLogoutRequest& request) {
  Result<AuthParts> parts = open_auth_app(request.place, request.app);
  if (parts.ok()) return parts;
  const ErrorCode code = parts.error().code;
  const bool unknown =
      code == ErrorCode::ConfigFileNotFound || code == ErrorCode::ConfigRefNotFound;
  if (!unknown || request.place.bundle) return parts;
  return open_token_store(request.place);
}

void print_logout(const AuthLogoutRequest& request, const std::string& subject,
                  const oauth::Manager::Logout& done) {
  const std::string problem = done.revoked_at_provider ? "" : done.problem;
  if (request.json == Answer::Yes) {
    JsonObject line{{"app", request.app},
                    {"subject", subject},
                    {"revokedAtProvider", done.revoked_at_provider}};
    if (!problem.empty()) line["problem"] = problem;
    return print_line(to_text(line));
  }
  print_line("Forgotten: " + request.app + " for " + printable(subject) +
             (done.revoked_at_provider ? ", and revoked at the provider" : ""));
  if (!done.revoked_at_provider) {
    print_error_line("gdn: it could not be revoked at the provider" +
                     (problem.empty() ? "" : ": " + printable(problem)) +
                     ". Remove the access there by hand.");
  }
}

Result<ExitCode> logout(const AuthLogoutRequest& request) {
  const Interrupt interrupt;
  if (!has_token_store(request.place)) return nothing_to_log_out(request);
  AuthParts parts = GDN_TRY(open_for_logout(request));
  oauth::Manager manager(parts.for_manager());
  for (const std::string& subject : GDN_TRY(leaving_subjects(request, manager))) {
    const oauth::Limit limit{.deadline = Clock::now() + kRevokeTime, .stop = interrupt.token()};
    const oauth::Manager::Logout done = GDN_TRY(manager.logout(request.app, subject, limit));
    print_logout(request, subject, done);
  }
  return interrupt.requested() ? ExitCode::Interrupted : ExitCode::Ok;
}

Result<ExitCode> rotate_key(const AuthRotateRequest& request) {
  if (!has_token_store(request.place)) {
    print_error_line("there are no tokens yet, and no key");
    return ExitCode::Ok;
  }
  AuthParts parts = GDN_TRY(open_token_store(request.place));
  const std::size_t records = GDN_TRY(parts.store->rotate_key());
  print_line("New key; sealed with it: " + std::to_string(records) +
             (records == 1 ? " record" : " records"));
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_auth_logout(const AuthLogoutRequest& request) {
  return finish_command(logout(request));
}

ExitCode run_auth_rotate_key(const AuthRotateRequest& request) {
  return finish_command(rotate_key(request));
}

}  // namespace goondan::cli
