#include "store/journal.h"

#include <chrono>

#include "store/journal_schema.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

JournalMessage message_row(const Statement& row) {
  return {.seq = row.integer(0),
          .id = row.text(1),
          .kind = enumerator(row, 2, MessageKind::Inject),
          .agent = row.text(3),
          .instance_key = row.text(4),
          .correlation_id = row.text(5),
          .payload = row.text(6),
          .attempts = row.integer(7)};
}

}  // namespace

std::int64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

namespace {

// A journal of an earlier version gets what it lacks. One that is only read keeps what it has.
Result<void> upgrade_journal(Database& database) {
  const auto version = [&]() -> Result<std::int64_t> {
    Statement query = GDN_TRY(database.prepare("PRAGMA user_version"));
    GDN_TRY(query.step());
    return query.integer(0);
  };
  if (GDN_TRY(version()) >= kJournalVersion) return {};
  // Again within a transaction: another process may just have done it.
  return database.transaction([&]() -> Result<void> {
    if (GDN_TRY(version()) >= kJournalVersion) return {};
    return database.run(kJournalUpgrade);
  });
}

}  // namespace

Result<Journal::Accepted> insert_message(Database& database, const JournalMessage& message) {
  Statement insert = GDN_TRY(database.prepare(
      "INSERT INTO messages(id, kind, agent, instance_key, correlation_id, payload, attempts, "
      "finished_ms) VALUES(?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING"));
  GDN_TRY(insert.bind(1, message.id)
              .bind(2, static_cast<std::int64_t>(message.kind))
              .bind(3, message.agent)
              .bind(4, message.instance_key)
              .bind(5, message.correlation_id)
              .bind(6, message.payload)
              .bind(7, message.attempts)
              .execute());
  return database.changes() > 0 ? Journal::Accepted::New : Journal::Accepted::Known;
}

Result<Journal> Journal::open(const std::filesystem::path& workspace_folder,
                              const OpenOptions& options) {
  Database database = GDN_TRY(Database::open(workspace_folder / "orchestrator.db", kJournalSchema,
                                             kJournalVersion, options));
  if (options.access == Access::Create) GDN_TRY(upgrade_journal(database));
  return Journal(std::move(database));
}

Result<Journal::Accepted> Journal::accept(const JournalMessage& message) {
  return insert_message(database_, message);
}

Result<std::vector<JournalMessage>> Journal::unfinished() const {
  Statement query = GDN_TRY(database_.prepare(
      "SELECT seq, id, kind, agent, instance_key, correlation_id, payload, attempts "
      "FROM messages WHERE finished_ms = 0 ORDER BY seq"));
  return read_all(query, message_row);
}

Result<void> Journal::count_attempt(std::string_view id) {
  Statement update = GDN_TRY(database_.prepare(
      "UPDATE messages SET attempts = attempts + 1 WHERE id = ? AND finished_ms = 0"));
  return update.bind(1, id).execute();
}

Result<void> Journal::tidy() {
  return database_.transaction([&]() -> Result<void> {
    const std::int64_t before = now_ms() - kDayMs;
    Statement messages = GDN_TRY(
        database_.prepare("DELETE FROM messages WHERE finished_ms > 0 AND finished_ms < ?"));
    GDN_TRY(messages.bind(1, before).execute());
    Statement handles =
        GDN_TRY(database_.prepare("DELETE FROM handles WHERE closed_ms > 0 AND closed_ms < ?"));
    return handles.bind(1, before).execute();
  });
}

}  // namespace goondan::store
