// The tables of `orchestrator.db`, and what the journal's own sources share.
#pragma once

#include <cstdint>
#include <string_view>

#include <goondan/result.h>

#include "store/database.h"
#include "store/journal.h"

namespace goondan::store {

inline constexpr int kJournalVersion = 2;

// A message that is finished stays for a day with its id alone; `finished_ms` is 0 before that.
inline constexpr std::string_view kJournalSchema = R"sql(
CREATE TABLE messages(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,
  agent TEXT NOT NULL, instance_key TEXT NOT NULL, correlation_id TEXT NOT NULL,
  payload TEXT NOT NULL, attempts INTEGER NOT NULL, finished_ms INTEGER NOT NULL);
CREATE INDEX messages_unfinished ON messages(seq) WHERE finished_ms = 0;
CREATE TABLE requests(seq INTEGER PRIMARY KEY, correlation_id TEXT NOT NULL UNIQUE,
  event_id TEXT NOT NULL, caller_agent TEXT NOT NULL, caller_instance_key TEXT NOT NULL,
  target TEXT NOT NULL, target_instance_key TEXT NOT NULL, event_type TEXT NOT NULL,
  metadata TEXT NOT NULL, trace_id TEXT NOT NULL, mode INTEGER NOT NULL,
  deadline_ms INTEGER NOT NULL, surroundings TEXT NOT NULL DEFAULT '');
CREATE TABLE instances(seq INTEGER PRIMARY KEY, agent TEXT NOT NULL, instance_key TEXT NOT NULL,
  owner_agent TEXT NOT NULL, owner_instance_key TEXT NOT NULL, cwd TEXT NOT NULL,
  created_at TEXT NOT NULL, UNIQUE(agent, instance_key));
CREATE TABLE handles(seq INTEGER PRIMARY KEY, handle TEXT NOT NULL UNIQUE, state INTEGER NOT NULL,
  agent TEXT NOT NULL, instance_key TEXT NOT NULL, tool_name TEXT NOT NULL,
  tool_call_id TEXT NOT NULL, output TEXT NOT NULL, error TEXT NOT NULL, trace_id TEXT NOT NULL,
  created_at TEXT NOT NULL, completed_at TEXT NOT NULL, closed_ms INTEGER NOT NULL,
  surroundings TEXT NOT NULL DEFAULT '');
)sql";

// From version 1 to 2.
inline constexpr std::string_view kJournalUpgrade = R"sql(
ALTER TABLE requests ADD COLUMN surroundings TEXT NOT NULL DEFAULT '';
ALTER TABLE handles ADD COLUMN surroundings TEXT NOT NULL DEFAULT '';
PRAGMA user_version=2;
)sql";

std::int64_t now_ms();  // since 1970

// Within a transaction of their callers:
Result<Journal::Accepted> insert_message(Database& database, const JournalMessage& message);
Result<void> delete_instance_handles(Database& database, std::string_view agent,
                                     std::string_view instance_key);

}  // namespace goondan::store
