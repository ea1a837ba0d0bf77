#include "oauth/manager/refresh.h"

#include "oauth/manager/scopes.h"
#include "oauth/manager/token_times.h"

namespace goondan::oauth {
namespace {

using Became = RefreshOutcome::Kind;

// For the lock, which another process may hold while it asks, and for the provider.
constexpr std::chrono::seconds kRefreshTime{60};

RefreshOutcome store_failure(const Error& error) {
  return {.kind = Became::NotStored, .grant = {}, .message = error.message};
}

}  // namespace

std::shared_ptr<const RefreshOutcome> Refresher::renew(const App& app, const StoredGrant& seen,
                                                       std::int64_t min_ttl, const Limit& limit) {
  const Wish wish{.app = app,
                  .name = grant_name(app.name, seen.record.subject),
                  .seen_generation = seen.generation,
                  .min_ttl = min_ttl};
  return flights_.join(
      wish.name, [this, wish](const std::stop_token& stop) { return renew_locked(wish, stop); },
      limit);
}

RefreshOutcome Refresher::renew_locked(const Wish& wish, const std::stop_token& stop) {
  const Limit limit{.deadline = Clock::now() + kRefreshTime, .stop = stop};
  Result<RecordLock> lock = context_.store().lock(wish.name, limit.deadline, limit.stop);
  if (!lock.ok()) return store_failure(lock.error());
  Result<std::optional<StoredGrant>> read = load_grant(context_, wish.name);
  if (!read.ok()) return store_failure(read.error());
  // Also if somebody has agreed meanwhile, but to another application of this name.
  if (!read->has_value() || (*read)->record.client != client_of(wish.app))
    return {.kind = Became::Gone};
  StoredGrant grant = **std::move(read);
  if (std::optional<StoredGrant> unsaved = take_unsaved(wish.name, grant.generation)) {
    grant = *std::move(unsaved);
    if (const Result<void> kept = keep(wish.name, grant); !kept.ok())
      return store_failure(kept.error());
  }
  // Another process, or the flight before, has been faster: what it got is as good as it gets.
  const bool newer = grant.generation != wish.seen_generation;
  if (grant.record.valid_for(newer ? 0 : wish.min_ttl, context_.now())) {
    return {.kind = Became::Renewed, .grant = std::move(grant.record)};
  }
  if (!grant.record.refreshable()) return {.kind = Became::Gone};
  return ask_provider(wish, std::move(grant), limit);
}

RefreshOutcome Refresher::ask_provider(const Wish& wish, StoredGrant grant, const Limit& limit) {
  const std::int64_t now = context_.now();
  if (const std::int64_t wait = backoff_.wait_for(wish.name, now); wait > 0) {
    return {.kind = Became::Unchanged,
            .grant = std::move(grant.record),
            .message = "it failed a moment ago and is asked again in " + std::to_string(wait) +
                       " seconds"};
  }
  Provider& provider = context_.provider(wish.app);
  const Answer<std::monostate> prepared = provider.prepare(limit);
  if (const auto* error = std::get_if<ProviderError>(&prepared)) {
    backoff_.failed(wish.name, now);
    return {.kind = Became::Unchanged, .grant = std::move(grant.record), .message = error->message};
  }
  Answer<Tokens> answer =
      provider.refresh(grant.record.refresh_token.reveal(), grant.record.scopes, limit);
  if (const auto* error = std::get_if<ProviderError>(&answer)) {
    return refused(wish, std::move(grant), *error);
  }
  return renewed(wish, std::move(grant), std::get<Tokens>(std::move(answer)), now);
}

RefreshOutcome Refresher::refused(const Wish& wish, StoredGrant grant, const ProviderError& error) {
  if (error.refusal != Refusal::InvalidGrant) {
    backoff_.failed(wish.name, context_.now());
    return {.kind = Became::Unchanged, .grant = std::move(grant.record), .message = error.message};
  }
  backoff_.succeeded(wish.name);
  grant.record.standing = GrantRecord::Standing::Revoked;
  grant.record.updated_at = context_.now();
  // If this cannot be written, the next request finds out again that the token is spent.
  if (const Result<void> saved = save_grant(context_, grant); !saved.ok())
    return store_failure(saved.error());
  return {.kind = Became::Gone};
}

RefreshOutcome Refresher::renewed(const Wish& wish, StoredGrant grant, Tokens tokens,
                                  std::int64_t asked_at) {
  context_.learn(tokens);
  backoff_.succeeded(wish.name);
  GrantRecord& record = grant.record;
  record.scopes = scopes_in_both(tokens.scopes, record.scopes);
  record.token_type = tokens.token_type;
  record.access_token = std::move(tokens.access_token);
  if (!tokens.refresh_token.empty()) record.refresh_token = std::move(tokens.refresh_token);
  record.expires_at = expiry_of(tokens.expires_in, asked_at);
  record.refreshed_at = asked_at;
  record.updated_at = context_.now();
  if (const Result<void> kept = keep(wish.name, grant); !kept.ok())
    return store_failure(kept.error());
  return {.kind = Became::Renewed, .grant = std::move(grant.record)};
}

Result<void> Refresher::keep(const RecordName& name, StoredGrant& grant) {
  Result<void> saved = save_grant(context_, grant);
  if (!saved.ok()) {
    const std::scoped_lock lock(mutex_);
    unsaved_.insert_or_assign(name, std::move(grant));
  }
  return saved;
}

std::optional<StoredGrant> Refresher::take_unsaved(const RecordName& name,
                                                   std::uint64_t generation) {
  const std::scoped_lock lock(mutex_);
  auto unsaved = unsaved_.extract(name);
  // Another has written since: that is what counts.
  if (unsaved.empty() || unsaved.mapped().generation != generation) return std::nullopt;
  return std::move(unsaved.mapped());
}

}  // namespace goondan::oauth
