#include "store/store_error.h"

#include <cerrno>
#include <sqlite3.h>
#include <string>
#include <system_error>

namespace goondan::store {
namespace {

bool means_full(int number) {
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

std::string quoted(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

Error full(const std::filesystem::path& path) {
  return {.code = ErrorCode::StoreFull,
          .message = "the disk is full: " + quoted(path) + " cannot grow",
          .suggestion = "free some space and try again; what was stored before is not lost"};
}

Error busy(const std::filesystem::path& file, const std::string& why) {
  return {.code = ErrorCode::StoreBusy,
          .message = "the database " + quoted(file) + " is held by another process: " + why,
          .suggestion = "wait until that process ends; `gdn ps` shows what runs"};
}

// The system's number for why a file could not be used; 0 if that is not what went wrong. SQLite
// does not note it when a commit fails, but then it is still in `errno`.
int system_number(sqlite3* connection, int code, int last) {
  const int primary = code & 0xff;
  if (primary != SQLITE_IOERR && primary != SQLITE_CANTOPEN) return 0;
  const int noted = connection != nullptr ? ::sqlite3_system_errno(connection) : 0;
  return noted != 0 ? noted : last;
}

std::string reason(sqlite3* connection, int code, int number) {
  std::string text = connection != nullptr ? ::sqlite3_errmsg(connection) : ::sqlite3_errstr(code);
  if (number != 0) text += " (" + std::generic_category().message(number) + ")";
  return text;
}

}  // namespace

Error database_error(const std::filesystem::path& file, sqlite3* connection, int code) {
  const int number = system_number(connection, code, errno);
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL || means_full(number)) return full(file);
  const std::string why = reason(connection, code, number);
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) return damaged(file, why);
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) return busy(file, why);
  return {.code = ErrorCode::Store,
          .message = "the database " + quoted(file) + " cannot be used: " + why,
          .suggestion = "see that its folder is there and that you may write in it"};
}

Error damaged(const std::filesystem::path& file, std::string_view why) {
  return {.code = ErrorCode::StoreCorrupt,
          .message = "the database " + quoted(file) + " is damaged: " + std::string(why),
          .suggestion =
              "put a copy in its place, or remove it: `gdn instance delete` for one "
              "instance"};
}

Error file_error(std::string_view what, const std::filesystem::path& path, int number) {
  if (means_full(number)) return full(path);
  return {.code = ErrorCode::Store,
          .message = std::string(what) + " " + quoted(path) + ": " +
                     std::generic_category().message(number),
          .suggestion =
              "see that the folder is there and that you may write in it; "
              "GOONDAN_STATE_ROOT names another"};
}

}  // namespace goondan::store
