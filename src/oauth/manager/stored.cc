#include "oauth/manager/stored.h"

#include <utility>

namespace goondan::oauth {

RecordName grant_name(const std::string& app, const std::string& subject) {
  return {.kind = RecordKind::Grant, .app = app, .key = subject};
}

RecordName session_name(const std::string& id) {
  return {.kind = RecordKind::Session, .app = {}, .key = id};
}

Result<std::optional<StoredGrant>> load_grant(Context& context, const RecordName& name) {
  const std::optional<Record> record = GDN_TRY(context.store().get(name));
  if (!record) return std::optional<StoredGrant>();
  StoredGrant grant;
  grant.record = GDN_TRY(GrantRecord::from_text(record->json));
  grant.generation = record->generation;
  context.learn(grant.record);
  return std::optional<StoredGrant>(std::move(grant));
}

Result<void> save_grant(Context& context, StoredGrant& grant) {
  context.learn(grant.record);
  grant.generation = GDN_TRY(context.store().put(grant_name(grant.record.app, grant.record.subject),
                                                 grant.record.to_text(), grant.generation));
  return {};
}

Result<std::optional<StoredSession>> load_session(Context& context, const std::string& id) {
  const std::optional<Record> record = GDN_TRY(context.store().get(session_name(id)));
  if (!record) return std::optional<StoredSession>();
  StoredSession session;
  session.record = GDN_TRY(SessionRecord::from_text(record->json));
  session.generation = record->generation;
  context.learn(session.record);
  return std::optional<StoredSession>(std::move(session));
}

Result<void> save_session(Context& context, StoredSession& session) {
  context.learn(session.record);
  session.generation = GDN_TRY(context.store().put(session_name(session.record.id),
                                                   session.record.to_text(), session.generation));
  return {};
}

Result<std::vector<StoredGrant>> load_grants(Context& context) {
  const std::vector<RecordName> names = GDN_TRY(context.store().list(RecordKind::Grant));
  std::vector<StoredGrant> grants;
  for (const RecordName& name : names) {
    Result<std::optional<StoredGrant>> grant = load_grant(context, name);
    if (grant.ok() && grant->has_value()) grants.push_back(**std::move(grant));
  }
  return grants;
}

Result<std::vector<StoredSession>> load_sessions(Context& context) {
  const std::vector<RecordName> names = GDN_TRY(context.store().list(RecordKind::Session));
  std::vector<StoredSession> sessions;
  for (const RecordName& name : names) {
    Result<std::optional<StoredSession>> session = load_session(context, name.key);
    if (session.ok() && session->has_value()) sessions.push_back(**std::move(session));
  }
  return sessions;
}

Result<std::optional<LockedSession>> lock_session(Context& context, const std::string& id,
                                                  const Limit& limit) {
  RecordLock lock = GDN_TRY(context.store().lock(session_name(id), limit.deadline, limit.stop));
  std::optional<StoredSession> session = GDN_TRY(load_session(context, id));
  if (!session) return std::optional<LockedSession>();
  return std::optional<LockedSession>(
      LockedSession{.lock = std::move(lock), .session = *std::move(session)});
}

Result<bool> settle_interrupted(Context& context, StoredSession& session) {
  SessionRecord& record = session.record;
  if (record.status != SessionStatus::Pending || record.code.use == CodePart::Use::None)
    return false;
  const std::optional<StoredGrant> grant =
      GDN_TRY(load_grant(context, grant_name(record.app, record.subject)));
  if (grant && grant->record.session_id == record.id) {
    record.scopes_granted = grant->record.scopes;
    record.end(SessionStatus::Completed);
  } else {
    record.end(SessionStatus::Failed, "exchange_interrupted");
  }
  GDN_TRY(save_session(context, session));
  return true;
}

}  // namespace goondan::oauth
