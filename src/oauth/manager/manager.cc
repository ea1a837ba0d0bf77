#include "oauth/manager.h"

#include "oauth/manager/begin.h"
#include "oauth/manager/callback.h"
#include "oauth/manager/device.h"
#include "oauth/manager/grants.h"
#include "oauth/manager/messages.h"
#include "oauth/manager/refresh.h"
#include "oauth/manager/scopes.h"
#include "oauth/manager/settle.h"
#include "oauth/manager/subject.h"
#include "oauth/manager/tidy.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

constexpr std::chrono::seconds kSessionLockTime{10};

TokenReady ready_with(const GrantRecord& grant) {
  return {.access_token = grant.access_token.clone(),
          .token_type = grant.token_type,
          .expires_at = grant.expires_at ? time_text(*grant.expires_at) : std::string(),
          .scopes = grant.scopes};
}

TokenError store_error(const Error& error) {
  return {.code = "storeFailed", .message = error.message};
}

// The checks that need neither the store nor the network.
std::variant<Asked, TokenError> checked_request(Context& context, const TokenRequest& request) {
  const App* app = context.find_app(request.app);
  if (app == nullptr) {
    return TokenError{.code = "oauthAppNotFound",
                      .message = "there is no OAuthApp/" + request.app + " in this bundle"};
  }
  std::variant<std::string, TokenError> subject = subject_of(*app, request.auth);
  if (auto* error = std::get_if<TokenError>(&subject)) return std::move(*error);
  const Scopes& scopes = request.scopes ? *request.scopes : app->scopes;
  if (!Manager::scopes_allowed(scopes, app->scopes)) {
    return TokenError{.code = "scopeNotAllowed",
                      .message = "OAuthApp/" + app->name +
                                 " does not have all of the scopes that are asked for; they "
                                 "are fixed in its spec.scopes"};
  }
  return Asked{.app = *app,
               .subject = std::get<std::string>(std::move(subject)),
               .scopes = scopes,
               .resume = request.resume};
}

// A new consent replaces the old one, so it asks for what the old one had, too.
Asked with_scopes_of(Asked asked, const std::optional<StoredGrant>& grant) {
  if (!grant) return asked;
  asked.scopes =
      scopes_of_both(asked.scopes, scopes_in_both(grant->record.scopes, asked.app.scopes));
  return asked;
}

PendingSession pending_of(const SessionRecord& session) {
  PendingSession pending;
  pending.id = session.id;
  pending.app = session.app;
  pending.provider = session.provider;
  pending.subject_mode = subject_mode_name(session.subject_mode);
  pending.subject = session.subject;
  pending.authorization_url = session.authorization_url;
  pending.redirect_uri = session.code.redirect_uri;
  pending.expires_at = time_text(session.expires_at);
  pending.message = consent_message(session);
  if (session.device) {
    pending.verification_uri = session.device->verification_uri;
    pending.user_code = session.device->user_code;
    pending.next_poll_at = session.device->next_poll_at;
  }
  pending.resume = session.resume;
  return pending;
}

}  // namespace

struct Manager::State {
  explicit State(Parts parts) : context(std::move(parts)), refresher(context) {}

  // Nothing: somebody must agree.
  std::optional<TokenResult> use_grant(const Asked& asked, const StoredGrant& grant,
                                       std::int64_t min_ttl, const Limit& limit);
  std::optional<TokenResult> renew_grant(const Asked& asked, const StoredGrant& grant,
                                         std::int64_t min_ttl, const Limit& limit);

  Context context;
  Refresher refresher;
};

std::optional<TokenResult> Manager::State::use_grant(const Asked& asked, const StoredGrant& grant,
                                                     std::int64_t min_ttl, const Limit& limit) {
  if (!scopes_cover(grant.record.scopes, asked.scopes)) return std::nullopt;
  if (grant.record.valid_for(min_ttl, context.now())) return ready_with(grant.record);
  if (!grant.record.refreshable()) return std::nullopt;
  return renew_grant(asked, grant, min_ttl, limit);
}

std::optional<TokenResult> Manager::State::renew_grant(const Asked& asked, const StoredGrant& grant,
                                                       std::int64_t min_ttl, const Limit& limit) {
  using Kind = RefreshOutcome::Kind;
  const auto outcome = refresher.renew(asked.app, grant, min_ttl, limit);
  const std::string whose = asked.app.provider + " (OAuthApp/" + asked.app.name + ")";
  if (outcome == nullptr) {
    return TokenError{.code = "refreshFailed",
                      .message = "the time was up before " + whose + " gave a new token"};
  }
  switch (outcome->kind) {
    case Kind::Gone:
      return std::nullopt;
    case Kind::NotStored:
      return TokenError{.code = "storeFailed",
                        .message = "a new token of " + whose + ": " + outcome->message};
    case Kind::Unchanged:
      if (outcome->grant->alive(context.now())) return ready_with(*outcome->grant);
      return TokenError{.code = "refreshFailed",
                        .message = whose + " gave no new token: " + outcome->message};
    case Kind::Renewed:
      break;
  }
  // The provider may have taken scopes away.
  if (!scopes_cover(outcome->grant->scopes, asked.scopes)) return std::nullopt;
  return ready_with(*outcome->grant);
}

Manager::Manager(Parts parts) : state_(std::make_unique<State>(std::move(parts))) {}
Manager::~Manager() = default;

TokenResult Manager::get_access_token(const TokenRequest& request, const Limit& limit) {
  std::variant<Asked, TokenError> asked = checked_request(state_->context, request);
  if (auto* error = std::get_if<TokenError>(&asked)) return std::move(*error);
  const Asked& wish = std::get<Asked>(asked);
  const Result<std::optional<StoredGrant>> grant =
      load_grant(state_->context, grant_name(wish.app.name, wish.subject));
  if (!grant.ok()) return store_error(grant.error());
  if (grant->has_value()) {
    std::optional<TokenResult> result =
        state_->use_grant(wish, **grant, request.min_ttl_seconds, limit);
    if (result) return *std::move(result);
  }
  return begin_consent(state_->context, with_scopes_of(wish, *grant), Reuse::Allowed, limit);
}

TokenResult Manager::begin_session(const TokenRequest& request, const Limit& limit) {
  std::variant<Asked, TokenError> asked = checked_request(state_->context, request);
  if (auto* error = std::get_if<TokenError>(&asked)) return std::move(*error);
  const Asked& wish = std::get<Asked>(asked);
  const Result<std::optional<StoredGrant>> grant =
      load_grant(state_->context, grant_name(wish.app.name, wish.subject));
  if (!grant.ok()) return store_error(grant.error());
  return begin_consent(state_->context, with_scopes_of(wish, *grant), Reuse::Never, limit);
}

CallbackOutcome Manager::complete(
    const std::vector<std::pair<std::string, std::string>>& parameters, const Limit& limit) {
  return complete_session(state_->context, parameters, limit);
}

CallbackOutcome Manager::poll(const std::string& session_id, const Limit& limit) {
  return poll_session(state_->context, session_id, limit);
}

Result<std::vector<PendingSession>> Manager::pending_sessions() {
  const std::vector<StoredSession> sessions = GDN_TRY(tidy_sessions(state_->context));
  std::vector<PendingSession> pending;
  for (const StoredSession& session : sessions)
    pending.push_back(pending_of(session.record));
  return pending;
}

Result<std::vector<GrantedEvent>> Manager::undelivered(const std::string& workspace) {
  // What was interrupted after its grant was stored is found here, too.
  GDN_TRY(tidy_sessions(state_->context));
  const std::vector<StoredSession> sessions = GDN_TRY(load_sessions(state_->context));
  std::vector<GrantedEvent> events;
  for (const StoredSession& session : sessions) {
    if (session.record.undelivered() && session.record.resume->workspace == workspace)
      events.push_back(granted_event(session.record));
  }
  return events;
}

Result<void> Manager::mark_delivered(const std::string& session_id) {
  const Limit limit{.deadline = Clock::now() + kSessionLockTime, .stop = {}};
  std::optional<LockedSession> locked = GDN_TRY(lock_session(state_->context, session_id, limit));
  if (!locked) return {};
  locked->session.record.delivery = SessionRecord::Delivery::Done;
  return save_session(state_->context, locked->session);
}

Result<std::string> Manager::session_status(const std::string& session_id) {
  GDN_TRY(tidy_sessions(state_->context));
  const std::optional<StoredSession> session = GDN_TRY(load_session(state_->context, session_id));
  return session ? std::string(status_name(session->record.status)) : std::string();
}

Result<void> Manager::abandon_session(const std::string& session_id) {
  {
    const Limit limit{.deadline = Clock::now() + kSessionLockTime, .stop = {}};
    std::optional<LockedSession> locked = GDN_TRY(lock_session(state_->context, session_id, limit));
    if (!locked || locked->session.record.status != SessionStatus::Pending) return {};
    locked->session.record.end(SessionStatus::Failed, "abandoned");
    GDN_TRY(save_session(state_->context, locked->session));
  }
  state_->context.sessions_changed();
  return {};
}

Result<std::vector<GrantInfo>> Manager::grants() {
  return list_grants(state_->context);
}

Result<Manager::Logout> Manager::logout(const std::string& app, const std::string& subject,
                                        const Limit& limit) {
  return remove_grant(state_->context, app, subject, limit);
}

const App* Manager::find_app(std::string_view name) const {
  return state_->context.find_app(name);
}

}  // namespace goondan::oauth
