#include <sqlite3.h>

#include "store/database.h"
#include "store/database_state.h"

namespace goondan::store {

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      failed_(other.failed_) {}

Statement::~Statement() {
  if (statement_ != nullptr) database_->give_back(statement_);
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would be stored as null, not as an empty text.
  const char* bytes = text.data() != nullptr ? text.data() : "";
  return note(
      ::sqlite3_bind_text64(statement_, index, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Statement& Statement::bind(int index, std::int64_t number) {
  return note(::sqlite3_bind_int64(statement_, index, number));
}

Statement& Statement::bind_null(int index) {
  return note(::sqlite3_bind_null(statement_, index));
}

Statement& Statement::note(int code) {
  if (code != SQLITE_OK && failed_ == SQLITE_OK) failed_ = code;
  return *this;
}

Result<bool> Statement::step() {
  if (failed_ != SQLITE_OK) return database_->error(failed_);
  const int code = ::sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) return database_->error(code);
  // Outside of a transaction a change is committed when its statement ends.
  if (::sqlite3_stmt_readonly(statement_) == 0 && !database_->in_transaction())
    database_->committed();
  return false;
}

Result<void> Statement::execute() {
  while (GDN_TRY(step())) {
  }
  return {};
}

Result<void> Statement::control() {
  const int code = ::sqlite3_step(statement_);
  if (code != SQLITE_DONE) return database_->error(code);
  return {};
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = ::sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  return {bytes, bytes + ::sqlite3_column_bytes(statement_, column)};
}

std::int64_t Statement::integer(int column) const {
  return ::sqlite3_column_int64(statement_, column);
}

bool Statement::is_null(int column) const {
  return ::sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

}  // namespace goondan::store
