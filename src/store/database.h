// SQLite behind our own errors: one connection, prepared statements, transactions.
//
// Write-ahead log, `synchronous=NORMAL`: what is committed survives the death of every process; a
// power cut may take back the last commits, never half of one. Errors: `E_STORE_BUSY` (another
// process holds it past the wait), `E_STORE_FULL`, `E_STORE_CORRUPT`, `E_STORE_VERSION`, `E_STORE`;
// the message names the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

struct sqlite3;
struct sqlite3_stmt;

namespace goondan::store {

// Called after each commit of a database, with the name of its file (`state.db`); tests end the
// process there.
using CommitHook = std::function<void(std::string_view database)>;

enum class Access { Create, ReadOnly };

struct OpenOptions {
  Access access = Access::Create;
  std::chrono::milliseconds busy_wait{2'000};
  CommitHook after_commit = {};
};

class Statement;

// Thread-compatible: one user at a time. Owns the connection.
class Database {
 public:
  // Makes missing folders. `schema` is run once, in one transaction, for a new file; `version` is
  // what it then has (`PRAGMA user_version`), and what an existing one must not exceed.
  static Result<Database> open(const std::filesystem::path& file, std::string_view schema,
                               int version, const OpenOptions& options = {});

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // A statement, compiled on first use and kept.
  Result<Statement> prepare(std::string_view sql);
  // Runs `work` in a transaction: commits if it succeeds, takes everything back if not. One at a
  // time; within another it is `E_INTERNAL`.
  Result<void> transaction(const std::function<Result<void>()>& work);
  Result<void> run(std::string_view sql);  // one or several statements without parameters
  [[nodiscard]] std::int64_t changes() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
  friend class Statement;
};

// One run of a kept statement; resets it when it goes. Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, std::int64_t number);
  Statement& bind_null(int index);

  // Whether there is a row to read.
  Result<bool> step();
  Result<void> execute();  // steps to the end

  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  friend class Database;
  Statement(Database::State& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}
  Statement& note(int code);
  Result<void> control();  // of BEGIN and COMMIT, which are no commits of their own
  Database::State* database_;
  sqlite3_stmt* statement_;
  int failed_ = 0;  // the first failure of a `bind`; `step` tells of it
};

}  // namespace goondan::store
