#include "oauth/manager.h"

#include "oauth/manager/callback.h"
#include "oauth/manager/device.h"
#include "oauth/manager/grants.h"
#include "oauth/manager/manager_state.h"
#include "oauth/manager/messages.h"
#include "oauth/manager/settle.h"
#include "oauth/manager/tidy.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

constexpr std::chrono::seconds kSessionLockTime{10};

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

Manager::Manager(Parts parts) : state_(std::make_unique<State>(std::move(parts))) {}
Manager::~Manager() = default;

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
