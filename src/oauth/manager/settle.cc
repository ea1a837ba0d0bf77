#include "oauth/manager/settle.h"

#include "oauth/manager/owner.h"
#include "oauth/manager/scopes.h"
#include "oauth/manager/token_times.h"

namespace goondan::oauth {
namespace {

using Shown = CallbackOutcome::Page;

// Whoever waits for the page waits no longer than this for a token that nobody will use.
constexpr std::chrono::seconds kRevokeTime{10};

CallbackOutcome reject_tokens(Context& context, const App& app, StoredSession& session,
                              const Tokens& tokens, std::string problem) {
  // Without the caller's stop: a token that is not ours must not stay alive because we end.
  const Limit limit{.deadline = Clock::now() + kRevokeTime, .stop = {}};
  static_cast<void>(context.provider(app).revoke(tokens.access_token, tokens.refresh_token, limit));
  return settle_without(context, session, SessionStatus::Failed, std::move(problem));
}

GrantRecord grant_of(Context& context, const SessionRecord& session, Tokens& tokens,
                     std::int64_t asked_at) {
  GrantRecord grant;
  grant.app = session.app;
  grant.provider = session.provider;
  grant.client = session.client;
  grant.subject = session.subject;
  grant.flow = session.flow();
  grant.scopes = scopes_in_both(tokens.scopes, session.scopes);
  grant.token_type = tokens.token_type;
  grant.access_token = tokens.access_token.clone();
  grant.refresh_token = tokens.refresh_token.clone();
  grant.expires_at = expiry_of(tokens.expires_in, asked_at);
  grant.created_at = context.now();
  grant.updated_at = grant.created_at;
  grant.session_id = session.id;
  grant.provider_data = std::move(tokens.provider_data);
  return grant;
}

// With the grant's lock: a refresh of an older grant must not write over this one.
Result<Scopes> store_grant(Context& context, GrantRecord record, const Limit& limit) {
  const RecordName name = grant_name(record.app, record.subject);
  const RecordLock lock = GDN_TRY(context.store().lock(name, limit.deadline, limit.stop));
  const std::optional<Record> old = GDN_TRY(context.store().get(name));
  StoredGrant grant{.record = std::move(record), .generation = old ? old->generation : 0};
  if (old) {
    const Result<GrantRecord> before = GrantRecord::from_text(old->json);
    if (before.ok()) grant.record.created_at = before->created_at;
  }
  GDN_TRY(save_grant(context, grant));
  return grant.record.scopes;
}

}  // namespace

CallbackOutcome outcome_of(const SessionRecord& session, Shown page, std::string problem) {
  return {.page = page,
          .session_id = session.id,
          .app = session.app,
          .problem = std::move(problem),
          .granted = {}};
}

GrantedEvent granted_event(const SessionRecord& session) {
  return {.session_id = session.id,
          .resume = session.resume.value_or(Resume{}),
          .payload = {{"type", "auth.granted"},
                      {"oauthAppRef", app_ref_json(session.app)},
                      {"provider", session.provider},
                      {"subject", session.subject},
                      {"scopesGranted", scopes_json(session.scopes_granted)},
                      {"grantId", grant_id(session.app, session.subject)}}};
}

CallbackOutcome settle_without(Context& context, StoredSession& session, SessionStatus status,
                               std::string problem) {
  session.record.end(status, problem);
  // If this cannot be written, the session is found interrupted or expired later.
  static_cast<void>(save_session(context, session).ok());
  return outcome_of(session.record,
                    status == SessionStatus::Expired ? Shown::Expired : Shown::Failed,
                    std::move(problem));
}

CallbackOutcome settle_with_tokens(Context& context, const App& app, StoredSession& session,
                                   Tokens tokens, std::int64_t asked_at, const Limit& limit) {
  context.learn(tokens);
  if (std::string problem = wrong_owner(context, app, session.record, tokens, limit);
      !problem.empty()) {
    return reject_tokens(context, app, session, tokens, std::move(problem));
  }
  Result<Scopes> stored =
      store_grant(context, grant_of(context, session.record, tokens, asked_at), limit);
  if (!stored.ok()) return reject_tokens(context, app, session, tokens, "store_failed");
  session.record.scopes_granted = *std::move(stored);
  session.record.end(SessionStatus::Completed);
  CallbackOutcome outcome = outcome_of(session.record, Shown::Connected, {});
  if (session.record.resume) outcome.granted = granted_event(session.record);
  // If this cannot be written, the grant is still there, and the session is settled later.
  static_cast<void>(save_session(context, session).ok());
  return outcome;
}

}  // namespace goondan::oauth
