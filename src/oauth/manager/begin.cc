#include "oauth/manager/begin.h"

#include <algorithm>

#include "oauth/manager/messages.h"
#include "oauth/manager/new_session.h"
#include "oauth/manager/scopes.h"
#include "oauth/manager/tidy.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

// With less than this left, a link would be dead before the person has read it.
constexpr std::int64_t kReusableSeconds = 60;

TokenError begin_store_failure(const Error& error) {
  return {.code = "storeFailed", .message = error.message};
}

// Held while a session is looked for and made, so that two who ask for the same get the same one.
RecordName beginning_of(const Asked& asked) {
  return {.kind = RecordKind::Session, .app = asked.app.name, .key = "begin " + asked.subject};
}

// Held while the sessions are counted and one is added.
RecordName counting_lock() {
  return {.kind = RecordKind::Session, .app = {}, .key = "count"};
}

std::optional<TokenError> too_many_sessions(const std::vector<StoredSession>& pending,
                                            const Asked& asked) {
  const auto own = std::ranges::count_if(pending, [&asked](const StoredSession& session) {
    return session.record.subject == asked.subject;
  });
  if (pending.size() < kMaxPendingSessions &&
      static_cast<std::size_t>(own) < kMaxPendingSessionsOfOneSubject) {
    return std::nullopt;
  }
  return TokenError{.code = "tooManySessions",
                    .message = "too many requests for consent are open (" +
                               std::to_string(pending.size()) +
                               "); agree to one of them, or wait until they expire"};
}

bool session_fits(const StoredSession& session, const Asked& asked, const std::string& redirect_uri,
                  std::int64_t now) {
  const SessionRecord& record = session.record;
  return record.app == asked.app.name && record.client == client_of(asked.app) &&
         record.subject == asked.subject && record.flow() == asked.app.flow &&
         record.code.use == CodePart::Use::None && record.code.redirect_uri == redirect_uri &&
         record.expires_at - now >= kReusableSeconds && same_scopes(record.scopes, asked.scopes) &&
         same_target(record.resume, asked.resume);
}

TokenResult add_session(Context& context, const Asked& asked, SessionRecord record,
                        const Limit& limit) {
  const Result<RecordLock> lock = context.store().lock(counting_lock(), limit.deadline, limit.stop);
  if (!lock.ok()) return begin_store_failure(lock.error());
  const Result<std::vector<StoredSession>> pending = tidy_sessions(context);
  if (!pending.ok()) return begin_store_failure(pending.error());
  if (std::optional<TokenError> error = too_many_sessions(*pending, asked))
    return *std::move(error);
  StoredSession session{.record = std::move(record), .generation = 0};
  if (const Result<void> saved = save_session(context, session); !saved.ok())
    return begin_store_failure(saved.error());
  return as_result(session.record);
}

TokenResult find_or_make(Context& context, const Asked& asked, Reuse reuse,
                         const std::string& redirect_uri, const Limit& limit) {
  const Result<RecordLock> lock =
      context.store().lock(beginning_of(asked), limit.deadline, limit.stop);
  if (!lock.ok()) return begin_store_failure(lock.error());
  const Result<std::vector<StoredSession>> pending = tidy_sessions(context);
  if (!pending.ok()) return begin_store_failure(pending.error());
  if (reuse == Reuse::Allowed) {
    const std::int64_t now = context.now();
    const auto found = std::ranges::find_if(*pending, [&](const StoredSession& session) {
      return session_fits(session, asked, redirect_uri, now);
    });
    if (found != pending->end()) return as_result(found->record);
  }
  // Before the provider is asked for a device code; again when the session is added.
  if (std::optional<TokenError> error = too_many_sessions(*pending, asked))
    return *std::move(error);
  std::variant<SessionRecord, TokenError> made = new_session(context, asked, redirect_uri, limit);
  if (auto* error = std::get_if<TokenError>(&made)) return std::move(*error);
  return add_session(context, asked, std::get<SessionRecord>(std::move(made)), limit);
}

}  // namespace

AuthorizationRequired as_result(const SessionRecord& session) {
  return {.session_id = session.id,
          .authorization_url = session.authorization_url,
          .expires_at = time_text(session.expires_at),
          .message = consent_message(session),
          .verification_uri = session.device ? session.device->verification_uri : std::string(),
          .user_code = session.device ? session.device->user_code : std::string()};
}

TokenResult begin_consent(Context& context, const Asked& asked, Reuse reuse, const Limit& limit) {
  if (context.redirects() == nullptr) {
    return TokenError{.code = "configurationError",
                      .message = "nobody can be asked for consent to OAuthApp/" + asked.app.name +
                                 " here; run `gdn auth login " + asked.app.name + "`"};
  }
  const Answer<std::monostate> prepared = context.provider(asked.app).prepare(limit);
  if (const auto* error = std::get_if<ProviderError>(&prepared))
    return provider_failure(asked.app, *error);
  std::string redirect_uri;
  if (asked.app.flow == OAuthAppResource::Flow::AuthorizationCode) {
    Result<std::string> place = context.redirects()->redirect_uri(asked.app);
    if (!place.ok())
      return TokenError{.code = "configurationError", .message = place.error().message};
    redirect_uri = *std::move(place);
  }
  TokenResult result = find_or_make(context, asked, reuse, redirect_uri, limit);
  if (std::holds_alternative<AuthorizationRequired>(result)) context.sessions_changed();
  return result;
}

}  // namespace goondan::oauth
