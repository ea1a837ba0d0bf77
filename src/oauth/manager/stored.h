// Grants and sessions as they are in the store, with the generation that was read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oauth/manager/context.h"

namespace goondan::oauth {

struct StoredGrant {
  GrantRecord record;
  std::uint64_t generation = 0;  // 0: not stored yet
};

struct StoredSession {
  SessionRecord record;
  std::uint64_t generation = 0;
};

RecordName grant_name(const std::string& app, const std::string& subject);
RecordName session_name(const std::string& id);

// Every secret that is read or written is learnt.
Result<std::optional<StoredGrant>> load_grant(Context& context, const RecordName& name);
Result<void> save_grant(Context& context, StoredGrant& grant);
Result<std::optional<StoredSession>> load_session(Context& context, const std::string& id);
Result<void> save_session(Context& context, StoredSession& session);

// What cannot be read is left out.
Result<std::vector<StoredGrant>> load_grants(Context& context);
Result<std::vector<StoredSession>> load_sessions(Context& context);

// A session with the right to change it.
struct LockedSession {
  RecordLock lock;
  StoredSession session;
};
// None: there is no such session.
Result<std::optional<LockedSession>> lock_session(Context& context, const std::string& id,
                                                  const Limit& limit);

// Whoever dies in the middle of an exchange leaves a session that looks pending. With its lock, and
// so sure that nobody works on it, this says what has really become of it. Returns whether it was
// changed.
Result<bool> settle_interrupted(Context& context, StoredSession& session);

}  // namespace goondan::oauth
