#include "oauth/manager/grants.h"

#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

bool is_of_another(const Context& context, const GrantRecord& grant) {
  const App* app = context.find_app(grant.app);
  return app != nullptr && client_of(*app) != grant.client;
}

GrantInfo::State state_of(const Context& context, const GrantRecord& grant) {
  using State = GrantInfo::State;
  if (is_of_another(context, grant)) return State::OfAnother;
  if (grant.standing == GrantRecord::Standing::Revoked) return State::Revoked;
  return grant.alive(context.now()) ? State::Valid : State::Expired;
}

GrantInfo info_of(const Context& context, const GrantRecord& grant) {
  return {.id = grant_id(grant.app, grant.subject),
          .app = grant.app,
          .provider = grant.provider,
          .subject = grant.subject,
          .scopes = grant.scopes,
          .expires_at = grant.expires_at ? time_text(*grant.expires_at) : std::string(),
          .state = state_of(context, grant),
          .refreshable = grant.refreshable(),
          .created_at = time_text(grant.created_at),
          .updated_at = time_text(grant.updated_at)};
}

Manager::Logout revoke_grant(Context& context, const GrantRecord& grant, const Limit& limit) {
  const App* app = context.find_app(grant.app);
  if (app == nullptr) return {.problem = "OAuthApp/" + grant.app + " is not in this bundle"};
  if (is_of_another(context, grant)) {
    return {.problem = "it was given to another client than the OAuthApp/" + grant.app +
                       " of this bundle is"};
  }
  Provider& provider = context.provider(*app);
  const Answer<std::monostate> prepared = provider.prepare(limit);
  if (const auto* error = std::get_if<ProviderError>(&prepared)) return {.problem = error->message};
  const Answer<std::monostate> answer =
      provider.revoke(grant.access_token, grant.refresh_token, limit);
  if (const auto* error = std::get_if<ProviderError>(&answer)) return {.problem = error->message};
  return {.revoked_at_provider = true};
}

}  // namespace

Result<std::vector<GrantInfo>> list_grants(Context& context) {
  const std::vector<StoredGrant> grants = GDN_TRY(load_grants(context));
  std::vector<GrantInfo> infos;
  for (const StoredGrant& grant : grants)
    infos.push_back(info_of(context, grant.record));
  return infos;
}

Result<Manager::Logout> remove_grant(Context& context, const std::string& app,
                                     const std::string& subject, const Limit& limit) {
  const RecordName name = grant_name(app, subject);
  // A refresh that is under way would bring the grant back.
  const RecordLock lock = GDN_TRY(context.store().lock(name, limit.deadline, limit.stop));
  const std::optional<Record> record = GDN_TRY(context.store().get(name));
  if (!record) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "OAuthApp/" + app + " has no grant of " + subject,
                 .suggestion = "`gdn auth status` lists those there are."};
  }
  Manager::Logout logout;
  // One that cannot be read can still be removed.
  const Result<GrantRecord> grant = GrantRecord::from_text(record->json);
  if (grant.ok()) {
    context.learn(*grant);
    logout = revoke_grant(context, *grant, limit);
  } else {
    logout.problem = grant.error().message;
  }
  GDN_TRY(context.store().remove(name));
  return logout;
}

}  // namespace goondan::oauth
