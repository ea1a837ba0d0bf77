#include "store/instance_store.h"

#include "store/folder_lock.h"
#include "store/instance_state.h"
#include "store/private_files.h"

namespace goondan::store {
namespace {

constexpr int kVersion = 1;

constexpr std::string_view kSchema = R"sql(
CREATE TABLE base(position INTEGER PRIMARY KEY, id TEXT NOT NULL, message TEXT NOT NULL);
CREATE INDEX base_id ON base(id);
CREATE TABLE events(seq INTEGER PRIMARY KEY, type INTEGER NOT NULL, target TEXT NOT NULL,
  id TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE turns(seq INTEGER PRIMARY KEY, turn_id TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL, span_id TEXT NOT NULL,
  state INTEGER NOT NULL, message TEXT NOT NULL, outcome TEXT NOT NULL, steps INTEGER NOT NULL,
  started_at TEXT NOT NULL);
CREATE INDEX turns_running ON turns(seq) WHERE state = 0;
CREATE TABLE calls(seq INTEGER PRIMARY KEY, turn_id TEXT NOT NULL, call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL, state INTEGER NOT NULL, result TEXT NOT NULL,
  UNIQUE(turn_id, call_id));
CREATE TABLE injections(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL,
  used INTEGER NOT NULL);
CREATE INDEX injections_waiting ON injections(seq) WHERE used = 0;
CREATE TABLE outputs(handle TEXT PRIMARY KEY, output TEXT NOT NULL);
CREATE TABLE spans(trace_id TEXT NOT NULL, span_id TEXT NOT NULL, parent_id TEXT NOT NULL,
  name TEXT NOT NULL, start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, status TEXT NOT NULL,
  attributes TEXT NOT NULL, PRIMARY KEY(trace_id, span_id)) WITHOUT ROWID;
)sql";

std::filesystem::path database_in(const std::filesystem::path& folder) {
  return folder / "state.db";
}

}  // namespace

InstanceStore::InstanceStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
InstanceStore::~InstanceStore() = default;

Result<std::unique_ptr<InstanceStore>> InstanceStore::open(const std::filesystem::path& folder,
                                                           Deadline deadline,
                                                           const OpenOptions& options) {
  GDN_TRY(make_private_folders(folder));
  os::UniqueFd lock = GDN_TRY(lock_folder(folder, deadline));
  Database database = GDN_TRY(Database::open(database_in(folder), kSchema, kVersion, options));
  auto state = std::make_unique<State>(std::move(lock), std::move(database));
  return std::unique_ptr<InstanceStore>(new InstanceStore(std::move(state)));
}

Result<std::unique_ptr<InstanceStore>> InstanceStore::open_for_reading(
    const std::filesystem::path& folder) {
  const OpenOptions options{.access = Access::ReadOnly};
  Database database = GDN_TRY(Database::open(database_in(folder), kSchema, kVersion, options));
  auto state = std::make_unique<State>(os::UniqueFd(), std::move(database));
  return std::unique_ptr<InstanceStore>(new InstanceStore(std::move(state)));
}

Result<void> must_have_changed(const Database& database, std::string_view what,
                               std::string_view id) {
  if (database.changes() > 0) return {};
  return Error{.code = ErrorCode::NotFound,
               .message = "there is no " + std::string(what) + " '" + std::string(id) + "'"};
}

}  // namespace goondan::store
