#include "oauth/manager/callback.h"

#include <algorithm>
#include <optional>

#include "base/sha256.h"
#include "oauth/manager/settle.h"

namespace goondan::oauth {
namespace {

using Shown = CallbackOutcome::Page;

std::ptrdiff_t times_given(const QueryParameters& parameters, std::string_view name) {
  return std::ranges::count(parameters, name, &QueryParameters::value_type::first);
}

// None: it was not given.
std::optional<std::string> query_parameter(const QueryParameters& parameters,
                                           std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &QueryParameters::value_type::first);
  return found == parameters.end() ? std::nullopt : std::optional(found->second);
}

CallbackOutcome unknown_session(std::string problem) {
  CallbackOutcome outcome;
  outcome.page = Shown::Unknown;
  outcome.problem = std::move(problem);
  return outcome;
}

// The id of the session that has this state. Hashes are compared, all of them and to their end, so
// that the time tells nothing about a state.
std::optional<std::string> session_with_state(Context& context, const std::string& state) {
  const Result<std::vector<StoredSession>> sessions = load_sessions(context);
  if (!sessions.ok()) return std::nullopt;
  const Secret wanted(sha256_hex(state, 64));
  std::optional<std::string> id;
  for (const StoredSession& session : *sessions) {
    const Secret& own = session.record.code.state;
    if (!own.empty() && wanted.same_as(sha256_hex(own.reveal(), 64))) id = session.record.id;
  }
  return id;
}

// The provider's word for why there is no code, if it is one (RFC 6749 §4.1.2.1).
std::string error_code(const std::string& error) {
  constexpr std::size_t kMaxErrorBytes = 64;
  const bool plain =
      std::ranges::all_of(error, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return plain && !error.empty() && error.size() <= kMaxErrorBytes ? error : "access_denied";
}

// What speaks against the answer before the provider is asked; empty: nothing.
std::string refused_parameters(const SessionRecord& session, const QueryParameters& parameters) {
  for (const std::string_view name : {"code", "error", "iss"}) {
    if (times_given(parameters, name) > 1) return "repeated_parameter";
  }
  const std::optional<std::string> issuer = query_parameter(parameters, "iss");
  const bool promised = session.code.issuer_parameter == CodePart::IssuerParameter::Promised;
  // Exactly equal: nothing is normalized (RFC 9207 §2.4). One that we cannot check is refused.
  if (issuer ? *issuer != session.code.issuer : promised) return "invalid_issuer";
  return {};
}

// The code is sent once: that it will be is on disk before it is.
CallbackOutcome exchange_code(Context& context, const App& app, StoredSession& session,
                              const std::string& code, const Limit& limit) {
  SessionRecord& record = session.record;
  record.code.use = CodePart::Use::Begun;
  if (!save_session(context, session).ok()) {
    return settle_without(context, session, SessionStatus::Failed, "store_failed");
  }
  const std::int64_t asked_at = context.now();
  Answer<Tokens> answer =
      context.provider(app).exchange({.code = code,
                                      .code_verifier = record.code.verifier.reveal(),
                                      .redirect_uri = record.code.redirect_uri,
                                      .scopes = record.scopes},
                                     limit);
  if (std::holds_alternative<ProviderError>(answer)) {
    return settle_without(context, session, SessionStatus::Failed, "token_exchange_failed");
  }
  return settle_with_tokens(context, app, session, std::get<Tokens>(std::move(answer)), asked_at,
                            limit);
}

// None: it goes on.
std::optional<CallbackOutcome> over_already(Context& context, StoredSession& session) {
  static_cast<void>(settle_interrupted(context, session).ok());
  const SessionRecord& record = session.record;
  if (record.status == SessionStatus::Expired)
    return outcome_of(record, Shown::Expired, "session_expired");
  if (record.status != SessionStatus::Pending || record.code.use == CodePart::Use::Begun)
    return outcome_of(record, Shown::Used, "session_already_used");
  if (record.expires_at <= context.now())
    return settle_without(context, session, SessionStatus::Expired, "session_expired");
  return std::nullopt;
}

CallbackOutcome complete_locked(Context& context, StoredSession& session,
                                const QueryParameters& parameters, const Limit& limit) {
  if (std::optional<CallbackOutcome> outcome = over_already(context, session))
    return *std::move(outcome);
  const App* app = context.app_of(session.record);
  if (app == nullptr) return outcome_of(session.record, Shown::Failed, "oauthAppNotFound");
  if (std::string problem = refused_parameters(session.record, parameters); !problem.empty())
    return settle_without(context, session, SessionStatus::Failed, std::move(problem));
  if (const std::optional<std::string> error = query_parameter(parameters, "error")) {
    settle_without(context, session, SessionStatus::Failed, error_code(*error));
    return outcome_of(session.record, Shown::Refused, error_code(*error));
  }
  const std::string code = query_parameter(parameters, "code").value_or("");
  if (code.empty()) return settle_without(context, session, SessionStatus::Failed, "no_code");
  context.learn(code);
  Provider& provider = context.provider(*app);
  const Answer<std::monostate> prepared = provider.prepare(limit);
  if (const auto* error = std::get_if<ProviderError>(&prepared)) {
    if (error->refusal == Refusal::Retry)  // the code is still good: the page can be loaded again
      return outcome_of(session.record, Shown::Pending, "provider_unavailable");
    return settle_without(context, session, SessionStatus::Failed, "token_exchange_failed");
  }
  // A code goes only to the provider that the session was begun with.
  if (provider.issuer() != session.record.code.issuer)
    return settle_without(context, session, SessionStatus::Failed, "invalid_issuer");
  return exchange_code(context, *app, session, code, limit);
}

}  // namespace

CallbackOutcome complete_session(Context& context, const QueryParameters& parameters,
                                 const Limit& limit) {
  if (times_given(parameters, "state") != 1) return unknown_session("invalid_state");
  const std::string state = *query_parameter(parameters, "state");
  const std::optional<std::string> id = session_with_state(context, state);
  if (!id) return unknown_session(state.empty() ? "invalid_state" : "session_not_found");
  CallbackOutcome outcome;
  {
    Result<std::optional<LockedSession>> locked = lock_session(context, *id, limit);
    if (!locked.ok()) {
      outcome = unknown_session("store_failed");
      outcome.page = Shown::Failed;
      outcome.session_id = *id;
      return outcome;
    }
    if (!locked->has_value()) return unknown_session("session_not_found");
    outcome = complete_locked(context, (*locked)->session, parameters, limit);
  }
  context.sessions_changed();
  return outcome;
}

}  // namespace goondan::oauth
