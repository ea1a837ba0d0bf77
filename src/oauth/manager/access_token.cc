#include "oauth/manager/manager_state.h"
#include "oauth/manager/scopes.h"
#include "oauth/manager/subject.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

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

// None: there is none, or it was given to another application of this name.
Result<std::optional<StoredGrant>> load_own_grant(Context& context, const Asked& asked) {
  std::optional<StoredGrant> grant =
      GDN_TRY(load_grant(context, grant_name(asked.app.name, asked.subject)));
  if (grant && grant->record.client != client_of(asked.app)) grant.reset();
  return grant;
}

// A new consent replaces the old one, so it asks for what the old one had, too.
Asked with_scopes_of(Asked asked, const std::optional<StoredGrant>& grant) {
  if (!grant) return asked;
  asked.scopes =
      scopes_of_both(asked.scopes, scopes_in_both(grant->record.scopes, asked.app.scopes));
  return asked;
}

}  // namespace

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

TokenResult Manager::get_access_token(const TokenRequest& request, const Limit& limit) {
  std::variant<Asked, TokenError> asked = checked_request(state_->context, request);
  if (auto* error = std::get_if<TokenError>(&asked)) return std::move(*error);
  const Asked& wish = std::get<Asked>(asked);
  const Result<std::optional<StoredGrant>> grant = load_own_grant(state_->context, wish);
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
  const Result<std::optional<StoredGrant>> grant = load_own_grant(state_->context, wish);
  if (!grant.ok()) return store_error(grant.error());
  return begin_consent(state_->context, with_scopes_of(wish, *grant), Reuse::Never, limit);
}

}  // namespace goondan::oauth
