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

// The disk may be the reason although SQLite names another.
bool disk_is_full(sqlite3* connection, int code) {
  if (code == SQLITE_FULL) return true;
  if (connection == nullptr || (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)) return false;
  return means_full(::sqlite3_system_errno(connection));
}

std::string reason(sqlite3* connection, int code) {
  std::string text = connection != nullptr ? ::sqlite3_errmsg(connection) : ::sqlite3_errstr(code);
  const int number = connection != nullptr ? ::sqlite3_system_errno(connection) : 0;
  const int primary = code & 0xff;
  if (number != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN))
    text += " (" + std::generic_category().message(number) + ")";
  return text;
}

}  // namespace

Error database_error(const std::filesystem::path& file, sqlite3* connection, int code) {
  const int primary = code & 0xff;
  if (disk_is_full(connection, primary)) return full(file);
  const std::string why = reason(connection, code);
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
