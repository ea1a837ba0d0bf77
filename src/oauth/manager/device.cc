#include "oauth/manager/device.h"

#include "oauth/manager/settle.h"

namespace goondan::oauth {
namespace {

using Shown = CallbackOutcome::Page;

constexpr std::int64_t kSlowDownSeconds = 5;  // RFC 8628 §3.5

CallbackOutcome still_pending(Context& context, StoredSession& session, std::int64_t next_poll_at) {
  session.record.device->next_poll_at = next_poll_at;
  // If this cannot be written, what was noted before the poll holds.
  static_cast<void>(save_session(context, session).ok());
  return outcome_of(session.record, Shown::Pending, {});
}

CallbackOutcome poll_refused(Context& context, StoredSession& session, const ProviderError& error) {
  DevicePart& device = *session.record.device;
  const std::int64_t now = context.now();
  switch (error.refusal) {
    case Refusal::Pending:
      return outcome_of(session.record, Shown::Pending, {});
    case Refusal::SlowDown:
      device.interval += kSlowDownSeconds;
      return still_pending(context, session, now + device.interval);
    case Refusal::Retry:
      return still_pending(context, session, now + 2 * device.interval);
    case Refusal::Expired:
      return settle_without(context, session, SessionStatus::Expired, "session_expired");
    case Refusal::Denied:
      settle_without(context, session, SessionStatus::Failed, "access_denied");
      return outcome_of(session.record, Shown::Refused, "access_denied");
    case Refusal::InvalidGrant:
    case Refusal::Broken:
      break;
  }
  return settle_without(context, session, SessionStatus::Failed, "token_exchange_failed");
}

CallbackOutcome poll_locked(Context& context, StoredSession& session, const Limit& limit) {
  SessionRecord& record = session.record;
  if (!record.device) return outcome_of(record, Shown::Unknown, "session_not_found");
  if (record.status != SessionStatus::Pending) {
    return record.status == SessionStatus::Expired
               ? outcome_of(record, Shown::Expired, "session_expired")
               : outcome_of(record, Shown::Used, "session_already_used");
  }
  const std::int64_t now = context.now();
  if (record.expires_at <= now)
    return settle_without(context, session, SessionStatus::Expired, "session_expired");
  const App* app = context.app_of(record);
  if (app == nullptr) return outcome_of(record, Shown::Failed, "oauthAppNotFound");
  if (now < record.device->next_poll_at) return outcome_of(record, Shown::Pending, {});
  // Noted before it is done: whoever takes over after a kill does not ask too early.
  record.device->next_poll_at = now + record.device->interval;
  if (!save_session(context, session).ok())
    return outcome_of(record, Shown::Pending, "store_failed");
  Provider& provider = context.provider(*app);
  const Answer<std::monostate> prepared = provider.prepare(limit);
  if (const auto* error = std::get_if<ProviderError>(&prepared))
    return poll_refused(context, session, *error);
  Answer<Tokens> answer =
      provider.poll_device(record.device->device_code.reveal(), record.scopes, limit);
  if (const auto* error = std::get_if<ProviderError>(&answer))
    return poll_refused(context, session, *error);
  return settle_with_tokens(context, *app, session, std::get<Tokens>(std::move(answer)), now,
                            limit);
}

}  // namespace

CallbackOutcome poll_session(Context& context, const std::string& id, const Limit& limit) {
  CallbackOutcome outcome;
  outcome.session_id = id;
  {
    Result<std::optional<LockedSession>> locked = lock_session(context, id, limit);
    if (!locked.ok()) {  // another polls; it will be pending, or over, when it is looked at again
      outcome.page = Shown::Pending;
      outcome.problem = "store_failed";
      return outcome;
    }
    if (!locked->has_value()) {
      outcome.page = Shown::Unknown;
      outcome.problem = "session_not_found";
      return outcome;
    }
    outcome = poll_locked(context, (*locked)->session, limit);
  }
  if (outcome.page != Shown::Pending) context.sessions_changed();
  return outcome;
}

}  // namespace goondan::oauth
