// Renewing a grant whose token has expired, or soon will.
#pragma once

#include <map>
#include <mutex>

#include "oauth/manager/backoff.h"
#include "oauth/manager/flights.h"

namespace goondan::oauth {

// Thread-safe.
class Refresher {
 public:
  explicit Refresher(Context& context) : context_(context) {}

  // `seen` is the grant that is too old. Null: the caller's own time was up.
  std::shared_ptr<const RefreshOutcome> renew(const App& app, const StoredGrant& seen,
                                              std::int64_t min_ttl, const Limit& limit);

 private:
  struct Wish {
    const App& app;
    RecordName name;
    std::uint64_t seen_generation;
    std::int64_t min_ttl;
  };

  RefreshOutcome renew_locked(const Wish& wish, const std::stop_token& stop);
  RefreshOutcome ask_provider(const Wish& wish, StoredGrant grant, const Limit& limit);
  RefreshOutcome refused(const Wish& wish, StoredGrant grant, const ProviderError& error);
  RefreshOutcome renewed(const Wish& wish, StoredGrant grant, Tokens tokens, std::int64_t asked_at);

  // Stores it, or keeps it as unsaved, moved from then.
  Result<void> keep(const RecordName& name, StoredGrant& grant);
  std::optional<StoredGrant> take_unsaved(const RecordName& name, std::uint64_t generation);

  Context& context_;
  Backoff backoff_;
  std::mutex mutex_;
  // What a provider gave and the disk did not take. The old refresh token may be spent, so this is
  // stored with the next request instead of asking again.
  std::map<RecordName, StoredGrant> unsaved_;
  Flights flights_;  // last: its threads use the others
};

}  // namespace goondan::oauth
