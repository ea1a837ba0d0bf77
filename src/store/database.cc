#include "store/database.h"

#include <sqlite3.h>

#include "store/database_state.h"
#include "store/store_error.h"

namespace goondan::store {
namespace {

// More kinds of statements than any store has; past it they are compiled for each use.
constexpr std::size_t kMaxKept = 64;

}  // namespace

Database::State::~State() {
  for (const auto& [sql, statement] : kept)
    ::sqlite3_finalize(statement);
  ::sqlite3_close_v2(connection);
}

Error Database::State::error(int code) const {
  return database_error(file, connection, code);
}

bool Database::State::in_transaction() const {
  return ::sqlite3_get_autocommit(connection) == 0;
}

void Database::State::committed() const {
  if (after_commit) after_commit(name);
}

Result<void> Database::State::run(const char* sql) {
  const int code = ::sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<sqlite3_stmt*> Database::State::take(std::string_view sql) {
  const auto found = kept.find(sql);
  if (found != kept.end() && found->second != nullptr) return std::exchange(found->second, nullptr);
  sqlite3_stmt* statement = nullptr;
  const int code = ::sqlite3_prepare_v3(connection, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  if (found == kept.end() && kept.size() < kMaxKept) kept.emplace(sql, nullptr);
  return statement;
}

void Database::State::give_back(sqlite3_stmt* statement) {
  ::sqlite3_reset(statement);
  ::sqlite3_clear_bindings(statement);
  const char* sql = ::sqlite3_sql(statement);
  const auto found = sql != nullptr ? kept.find(std::string_view(sql)) : kept.end();
  if (found != kept.end() && found->second == nullptr) {
    found->second = statement;
  } else {
    ::sqlite3_finalize(statement);
  }
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = GDN_TRY(state_->take(sql));
  return Statement(*state_, statement);
}

Result<void> Database::transaction(const std::function<Result<void>()>& work) {
  if (state_->in_transaction())
    return Error{.code = ErrorCode::Internal, .message = "a transaction within a transaction"};
  // Takes everything back on every way out but the good one.
  struct Undo {
    State& state;
    ~Undo() {
      if (state.in_transaction()) (void)state.run("ROLLBACK");
    }
  };
  Statement begin = GDN_TRY(prepare("BEGIN IMMEDIATE"));
  GDN_TRY(begin.control());
  const Undo undo{*state_};
  GDN_TRY(work());
  Statement commit = GDN_TRY(prepare("COMMIT"));
  GDN_TRY(commit.control());
  state_->committed();
  return {};
}

Result<void> Database::run(std::string_view sql) {
  const std::int64_t before = ::sqlite3_total_changes64(state_->connection);
  GDN_TRY(state_->run(std::string(sql).c_str()));
  const bool changed = ::sqlite3_total_changes64(state_->connection) != before;
  if (changed && !state_->in_transaction()) state_->committed();
  return {};
}

std::int64_t Database::changes() const {
  return ::sqlite3_changes64(state_->connection);
}

}  // namespace goondan::store
