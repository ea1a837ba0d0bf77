// Reading all rows of a statement, or the first.
#pragma once

#include <optional>
#include <vector>

#include <goondan/result.h>

#include "store/database.h"

namespace goondan::store {

// `read(const Statement&)` makes a value of the current row.
template <class Read>
auto read_all(Statement& statement, Read read) -> Result<std::vector<decltype(read(statement))>> {
  std::vector<decltype(read(statement))> rows;
  while (GDN_TRY(statement.step()))
    rows.push_back(read(statement));
  return rows;
}

template <class Read>
auto read_first(Statement& statement, Read read)
    -> Result<std::optional<decltype(read(statement))>> {
  std::optional<decltype(read(statement))> row;
  if (GDN_TRY(statement.step())) row.emplace(read(statement));
  return row;
}

// The enumerator that a column holds; `last`, the greatest there is, for any other number.
template <class Enum>
Enum enumerator(const Statement& row, int column, Enum last) {
  const std::int64_t number = row.integer(column);
  return number >= 0 && number < static_cast<std::int64_t>(last) ? static_cast<Enum>(number) : last;
}

}  // namespace goondan::store
