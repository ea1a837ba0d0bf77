// Which instances there are.
#include "store/journal_schema.h"
#include "store/rows.h"

namespace goondan::store {
namespace {

InstanceRecord instance_row(const Statement& row) {
  return {.agent = row.text(0),
          .instance_key = row.text(1),
          .owner_agent = row.text(2),
          .owner_instance_key = row.text(3),
          .cwd = row.text(4),
          .created_at = row.text(5)};
}

// Their ids stay known, like those of messages that were answered.
Result<void> finish_messages_of(Database& database, std::string_view agent,
                                std::string_view instance_key) {
  Statement update =
      GDN_TRY(database.prepare("UPDATE messages SET finished_ms = ?, payload = '' "
                               "WHERE finished_ms = 0 AND agent = ? AND instance_key = ?"));
  return update.bind(1, now_ms()).bind(2, agent).bind(3, instance_key).execute();
}

}  // namespace

Result<void> Journal::put_instance(const InstanceRecord& instance) {
  Statement insert = GDN_TRY(database_.prepare(
      "INSERT INTO instances(agent, instance_key, owner_agent, owner_instance_key, cwd, "
      "created_at) VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
      "owner_agent = excluded.owner_agent, owner_instance_key = excluded.owner_instance_key, "
      "cwd = excluded.cwd, created_at = excluded.created_at"));
  return insert.bind(1, instance.agent)
      .bind(2, instance.instance_key)
      .bind(3, instance.owner_agent)
      .bind(4, instance.owner_instance_key)
      .bind(5, instance.cwd)
      .bind(6, instance.created_at)
      .execute();
}

Result<std::vector<InstanceRecord>> Journal::instances() const {
  Statement query = GDN_TRY(database_.prepare(
      "SELECT agent, instance_key, owner_agent, owner_instance_key, cwd, created_at "
      "FROM instances ORDER BY seq"));
  return read_all(query, instance_row);
}

Result<void> Journal::forget_instance(std::string_view agent, std::string_view instance_key) {
  return database_.transaction([&]() -> Result<void> {
    Statement remove =
        GDN_TRY(database_.prepare("DELETE FROM instances WHERE agent = ? AND instance_key = ?"));
    GDN_TRY(remove.bind(1, agent).bind(2, instance_key).execute());
    GDN_TRY(finish_messages_of(database_, agent, instance_key));
    return delete_instance_handles(database_, agent, instance_key);
  });
}

}  // namespace goondan::store
