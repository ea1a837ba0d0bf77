#include <cerrno>
#include <sqlite3.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "store/database.h"
#include "store/database_state.h"
#include "store/private_files.h"
#include "store/store_error.h"

namespace goondan::store {
namespace {

// Marks the databases of this project (`PRAGMA application_id`): "gdn1".
constexpr std::int64_t kApplicationId = 0x67646e31;

// Little memory, because hundreds of agents may be idle at once; and no trust in what a file says
// about itself.
constexpr const char* kSettings =
    "PRAGMA cache_size=-128;"  // KiB
    "PRAGMA temp_store=MEMORY;"
    "PRAGMA cell_size_check=ON;"
    "PRAGMA trusted_schema=OFF;";

// The log is emptied at about 4 MiB (1,000 pages) and its file cut to 1 MiB.
constexpr const char* kWriterSettings =
    "PRAGMA secure_delete=FAST;"
    "PRAGMA journal_size_limit=1048576;"
    "PRAGMA journal_mode=WAL;";

std::int64_t size_of(const std::string& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_size : 0;
}

bool is_empty(const std::string& file) {
  return size_of(file) == 0;
}

// In a place where nothing can be written there is no shared memory to agree on with a writer; but
// then there is no writer either, and if the log is empty the file is all there is.
std::string address_in_read_only_place(const std::filesystem::path& file) {
  std::string address = "file:";
  for (const char c : file.string()) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#') {
      address += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

Error newer(const std::filesystem::path& file, std::int64_t found, int known) {
  return {.code = ErrorCode::StoreVersion,
          .message = "the database '" + file.string() + "' has version " + std::to_string(found) +
                     "; this program knows versions up to " + std::to_string(known),
          .suggestion = "use the version of gdn that wrote it, or another GOONDAN_STATE_ROOT"};
}

}  // namespace

Result<void> Database::State::connect(const OpenOptions& options) {
  const int access = options.access == Access::Create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                                      : SQLITE_OPEN_READONLY;
  const int flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = ::sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  if (code != SQLITE_OK) return error(code);
  if (options.access == Access::ReadOnly && is_empty(file.string() + "-wal") &&
      ::access((file.parent_path() / ".").c_str(), W_OK) != 0) {
    ::sqlite3_close_v2(std::exchange(connection, nullptr));
    const std::string address = address_in_read_only_place(file);
    code = ::sqlite3_open_v2(address.c_str(), &connection, flags | SQLITE_OPEN_URI, nullptr);
    if (code != SQLITE_OK) return error(code);
  }
  ::sqlite3_busy_timeout(connection, static_cast<int>(options.busy_wait.count()));
  ::sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return {};
}

Result<void> Database::State::prepare_to_write(Content content, Deadline deadline) {
  // A new file need not be on the disk at once: a power cut takes it back as a whole. That saves
  // five waits for the disk.
  GDN_TRY(run(content == Content::Empty ? "PRAGMA synchronous=OFF" : "PRAGMA synchronous=NORMAL"));
  // SQLite does not wait for others who begin a log at the same time, so that we have to.
  constexpr std::chrono::milliseconds kPause{2};
  Result<void> set = run(kWriterSettings);
  while (!set.ok() && set.error().code == ErrorCode::StoreBusy && Clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
    set = run(kWriterSettings);
  }
  return set;
}

Result<std::int64_t> Database::State::number(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  int code = ::sqlite3_prepare_v2(connection, sql, -1, &statement, nullptr);
  if (code == SQLITE_OK) code = ::sqlite3_step(statement);
  if (code != SQLITE_ROW) {
    Error failed = error(code);
    ::sqlite3_finalize(statement);
    return failed;
  }
  const std::int64_t value = ::sqlite3_column_int64(statement, 0);
  ::sqlite3_finalize(statement);
  return value;
}

Result<Database::State::Content> Database::State::examine(int version) {
  // All of it at one moment: another process may just be making the tables.
  GDN_TRY(run("BEGIN"));
  Result<Content> content = examine_now(version);
  if (in_transaction()) (void)run("ROLLBACK");
  return content;
}

Result<Database::State::Content> Database::State::examine_now(int version) {
  const std::int64_t application = GDN_TRY(number("PRAGMA application_id"));
  const std::int64_t found = GDN_TRY(number("PRAGMA user_version"));
  const std::int64_t tables = GDN_TRY(number("SELECT count(*) FROM sqlite_schema"));
  const std::int64_t page = GDN_TRY(number("PRAGMA page_size"));
  // SQLite finds lost pages by itself, but not the lost end of the last. While there is a log, the
  // file may be short: the log has the rest.
  if (size_of(file) % page != 0 && is_empty(file.string() + "-wal"))
    return damaged(file, "its end is missing");
  if (application == 0 && found == 0 && tables == 0) return Content::Empty;
  if (application != kApplicationId) return damaged(file, "it is the database of another program");
  if (found > version) return newer(file, found, version);
  if (found <= 0 || tables == 0) return damaged(file, "it has no tables");
  return Content::Ours;
}

Result<void> Database::State::create(std::string_view schema, int version) {
  const std::string sql = "BEGIN IMMEDIATE;" + std::string(schema) +
                          ";PRAGMA application_id=" + std::to_string(kApplicationId) +
                          ";PRAGMA user_version=" + std::to_string(version) + ";COMMIT;";
  const Result<void> made = run(sql.c_str());
  if (!made.ok()) {
    if (in_transaction()) (void)run("ROLLBACK");
    // Another process may have made the tables since we looked.
    const Result<Content> now = examine(version);
    if (!now.ok() || *now == Content::Empty) return made;
  } else {
    committed();
  }
  return run("PRAGMA synchronous=NORMAL");
}

Result<Database> Database::open(const std::filesystem::path& file, std::string_view schema,
                                int version, const OpenOptions& options) {
  if (options.access == Access::Create) {
    GDN_TRY(make_private_folders(file.parent_path()));
    GDN_TRY(make_private_file(file));
  } else if (is_empty(file.string())) {
    return Error{.code = ErrorCode::NotFound, .message = "there is no '" + file.string() + "'"};
  }
  auto state = std::make_unique<State>();
  state->file = file;
  state->name = file.filename().string();
  state->after_commit = options.after_commit;
  const Deadline deadline = Clock::now() + options.busy_wait;
  GDN_TRY(state->connect(options));
  GDN_TRY(state->run(kSettings));
  // Before anything is written: what is not ours stays as it is.
  const State::Content content = GDN_TRY(state->examine(version));
  if (options.access == Access::Create) {
    GDN_TRY(state->prepare_to_write(content, deadline));
    if (content == State::Content::Empty) GDN_TRY(state->create(schema, version));
  } else if (content == State::Content::Empty) {
    return Error{.code = ErrorCode::NotFound, .message = "'" + file.string() + "' is empty"};
  }
  return Database(std::move(state));
}

}  // namespace goondan::store
