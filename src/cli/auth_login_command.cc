#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "cli/auth_browser.h"
#include "cli/auth_login_text.h"
#include "cli/auth_parts.h"
#include "cli/interrupt.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "oauth/service.h"

namespace goondan::cli {
namespace {

// For finding out about the provider; the person has as long as the link is good.
constexpr std::chrono::seconds kBeginTime{60};
constexpr std::chrono::seconds kLookAtStore{3};

// The outcome that the service's thread reports, awaited by the command's.
class LoginOutcome {
 public:
  void report(const oauth::CallbackOutcome& outcome) {
    const std::scoped_lock lock(mutex_);
    outcomes_[outcome.session_id] = outcome;
    wake_.notify_all();
  }

  // Nothing if it has not come by then, or the stop came first.
  std::optional<oauth::CallbackOutcome> wait(const std::string& session_id, Deadline until,
                                             const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const bool there =
        wake_.wait_until(lock, stop, until, [&] { return outcomes_.contains(session_id); });
    if (!there) return std::nullopt;
    return outcomes_.at(session_id);
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<std::string, oauth::CallbackOutcome> outcomes_;
};

// What the store says about a session that has ended; nothing if it has not.
std::optional<oauth::CallbackOutcome> stored_outcome(oauth::Manager& manager,
                                                     const std::string& session_id) {
  using Page = oauth::CallbackOutcome::Page;
  const Result<std::string> status = manager.session_status(session_id);
  if (!status.ok() || *status == "pending") return std::nullopt;
  return oauth::CallbackOutcome{.page = *status == "completed" ? Page::Connected
                                        : *status == "expired" ? Page::Expired
                                                               : Page::Failed,
                                .session_id = session_id};
}

// The service reports what it has seen pending. Another process may have been faster than that, so
// the store is looked at too, now and then.
std::optional<oauth::CallbackOutcome> await_outcome(LoginOutcome& outcome, oauth::Manager& manager,
                                                    const std::string& session_id,
                                                    Deadline deadline,
                                                    const std::stop_token& stop) {
  while (!stop.stop_requested() && Clock::now() < deadline) {
    const Deadline until = std::min(deadline, Clock::now() + kLookAtStore);
    if (auto reported = outcome.wait(session_id, until, stop)) return reported;
    if (const auto stored = stored_outcome(manager, session_id)) {
      // The report, which knows more, comes within a moment if there is one.
      const auto late = outcome.wait(session_id, Clock::now() + kLookAtStore, stop);
      return late ? late : stored;
    }
  }
  return std::nullopt;
}

// Somebody may have agreed just when we gave up.
std::optional<oauth::CallbackOutcome> late_success(oauth::Manager& manager,
                                                   const std::string& session_id) {
  std::optional<oauth::CallbackOutcome> stored = stored_outcome(manager, session_id);
  if (stored && stored->page != oauth::CallbackOutcome::Page::Connected) stored.reset();
  return stored;
}

std::string_view mode_of(const oauth::App& app) {
  return app.subject_mode == OAuthAppResource::SubjectMode::User ? "user" : "global";
}

Error subject_needed(const oauth::App& app) {
  const std::string mode(mode_of(app));
  return {.code = ErrorCode::Usage,
          .message = "it is not known whose token of OAuthApp/" + app.name + " this will be",
          .suggestion = "Give --subject " + mode + "=TEXT, the text that turn.auth.subjects." +
                        mode + " has where the token is used, e.g. " + mode + "=" + app.provider +
                        (mode == "user" ? ":user:U0123." : ":team:T0123.")};
}

// The one that is given, or the only one that has a grant of this application.
Result<std::string> login_subject(const AuthLoginRequest& request, const oauth::App& app,
                                  oauth::Manager& manager) {
  if (!request.subject.empty()) {
    std::string subject = GDN_TRY(subject_text(request.subject, mode_of(app)));
    if (subject.empty()) return subject_needed(app);
    return subject;
  }
  std::vector<std::string> known;
  for (const oauth::GrantInfo& grant : GDN_TRY(manager.grants()))
    if (grant.app == app.name) known.push_back(grant.subject);
  if (known.size() != 1) return subject_needed(app);
  return known.front();
}

// What `gdn` calls an error that the manager has a word of its own for.
ErrorCode login_error_code(const std::string& code) {
  if (code == "scopeNotAllowed") return ErrorCode::ConfigScopeNotAllowed;
  if (code == "configurationError" || code == "deviceCodeUnsupported") return ErrorCode::Config;
  if (code == "providerUnavailable") return ErrorCode::Network;
  if (code == "storeFailed") return ErrorCode::Store;
  if (code == "tooManySessions") return ErrorCode::Limit;
  return ErrorCode::Service;
}

Result<oauth::AuthorizationRequired> begin_login(const AuthLoginRequest& request,
                                                 const std::string& subject, const oauth::App& app,
                                                 oauth::Manager& manager,
                                                 const std::stop_token& stop) {
  oauth::TokenRequest token{.app = app.name};
  if (!request.scopes.empty()) token.scopes = request.scopes;
  token.auth = JsonObject{{"subjects", JsonObject{{mode_of(app), subject}}}};
  const oauth::Limit limit{.deadline = Clock::now() + kBeginTime, .stop = stop};
  const oauth::TokenResult begun = manager.begin_session(token, limit);
  if (const auto* required = std::get_if<oauth::AuthorizationRequired>(&begun)) return *required;
  if (const auto* error = std::get_if<oauth::TokenError>(&begun))
    return Error{.code = login_error_code(error->code), .message = error->message};
  return Error{.code = ErrorCode::Internal, .message = "a token came where a session was begun"};
}

std::optional<oauth::GrantInfo> grant_of(oauth::Manager& manager, const std::string& app,
                                         const std::string& subject) {
  const Result<std::vector<oauth::GrantInfo>> grants = manager.grants();
  if (!grants.ok()) return std::nullopt;
  for (const oauth::GrantInfo& grant : *grants)
    if (grant.app == app && grant.subject == subject) return grant;
  return std::nullopt;
}

Result<ExitCode> login(const AuthLoginRequest& request) {
  const Interrupt interrupt;
  AuthParts parts = GDN_TRY(open_auth_app(request.place, request.app));
  const oauth::App app = parts.apps.front();
  LoginOutcome outcome;
  const std::unique_ptr<oauth::Service> service = GDN_TRY(oauth::Service::start(
      {.manager = parts.for_manager(),
       .on_outcome = [&outcome](const auto& ended) { outcome.report(ended); },
       .on_taken_port = [](const Error& taken) { print_taken_port(taken); }}));
  oauth::Manager& manager = service->manager();
  const std::string subject = GDN_TRY(login_subject(request, app, manager));
  Result<oauth::AuthorizationRequired> link =
      begin_login(request, subject, app, manager, interrupt.token());
  if (!link.ok() && interrupt.requested()) return ExitCode::Interrupted;
  if (!link.ok()) return std::move(link).error();
  print_login_link(request, *link);
  if (request.browser == Answer::Yes && request.json == Answer::No)
    open_in_browser(link->authorization_url);
  const Deadline deadline =
      request.timeout.count() > 0 ? Clock::now() + request.timeout : Deadline::max();
  auto ended = await_outcome(outcome, manager, link->session_id, deadline, interrupt.token());
  // Nobody would hear of it any more.
  if (!ended && !manager.abandon_session(link->session_id).ok())
    print_error_line("gdn: the link could not be made invalid; it ends at " + link->expires_at);
  if (!ended) ended = late_success(manager, link->session_id);
  service->stop();
  const bool gave_up = !ended && interrupt.requested();
  const LoginEnd end = login_end(ended, gave_up ? Interrupted::Yes : Interrupted::No);
  print_login_end(
      request, end, subject,
      end.code == ExitCode::Ok ? grant_of(manager, request.app, subject) : std::nullopt);
  return end.code;
}

}  // namespace

ExitCode run_auth_login(const AuthLoginRequest& request) {
  return finish_command(login(request));
}

}  // namespace goondan::cli
