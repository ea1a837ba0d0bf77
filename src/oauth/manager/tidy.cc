#include "oauth/manager/tidy.h"

namespace goondan::oauth {
namespace {

constexpr std::int64_t kDaySeconds = std::int64_t{24} * 3600;
// An agent that has not been told by then, because its swarm is gone, never will be.
constexpr std::int64_t kLongestDelivery = 30 * kDaySeconds;

// Only if nobody else has it.
Result<std::optional<LockedSession>> lock_if_free(Context& context, const std::string& id) {
  return lock_session(context, id, Limit{.deadline = Clock::now(), .stop = {}});
}

bool long_over(const SessionRecord& session, std::int64_t now) {
  if (session.status == SessionStatus::Pending) return false;
  const std::int64_t kept = session.undelivered() ? kLongestDelivery : kDaySeconds;
  return now - session.created_at > kept;
}

// An exchange that was begun outlives the session: the code was in time.
bool needs_ending(const SessionRecord& session, std::int64_t now) {
  return session.status == SessionStatus::Pending &&
         (session.code.use == CodePart::Use::Begun || session.expires_at <= now);
}

// Looks again with the lock. What cannot be locked or written now is done another time.
void end_session_if_due(Context& context, const std::string& id) {
  Result<std::optional<LockedSession>> locked = lock_if_free(context, id);
  if (!locked.ok() || !locked->has_value()) return;
  StoredSession& session = (*locked)->session;
  const Result<bool> settled = settle_interrupted(context, session);
  if (!settled.ok() || !needs_ending(session.record, context.now())) return;
  session.record.end(SessionStatus::Expired, "session_expired");
  static_cast<void>(save_session(context, session).ok());
}

}  // namespace

Result<std::vector<StoredSession>> tidy_sessions(Context& context) {
  std::vector<StoredSession> sessions = GDN_TRY(load_sessions(context));
  const std::int64_t now = context.now();
  std::vector<StoredSession> pending;
  for (StoredSession& session : sessions) {
    if (long_over(session.record, now)) {
      // What cannot be removed, on a full disk for instance, is removed another time.
      static_cast<void>(context.store().remove(session_name(session.record.id)).ok());
    } else if (needs_ending(session.record, now)) {
      end_session_if_due(context, session.record.id);
    } else if (session.record.status == SessionStatus::Pending) {
      pending.push_back(std::move(session));
    }
  }
  return pending;
}

}  // namespace goondan::oauth
