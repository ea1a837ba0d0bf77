// How many columns of a terminal a text takes, and cutting it to fit. Pure functions; what they are
// given has been made `printable`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace goondan::cli {

// Letters of East Asia and emoji take two, marks none. A character with the emoji selector behind
// it counts as two, whatever the terminal makes of it: rather a column too many than a broken line.
std::size_t columns(std::string_view text);

// The longest beginning of `text` that takes at most `room` columns, never splitting a character
// from its marks.
std::string_view fitting(std::string_view text, std::size_t room);

// `text`, or what fits of it with `…` behind, at most `room` columns.
std::string cut_to(std::string_view text, std::size_t room);

// The text in rows of at most `room` columns, broken between words where that is possible. Line
// breaks begin a new row; spaces at a break are dropped. At least one row.
std::vector<std::string> wrapped(std::string_view text, std::size_t room);

// Where the first row of a line without breaks ends, and where the next one begins: the whole line
// if it fits.
struct RowBreak {
  std::size_t end;
  std::size_t next;
};
RowBreak first_row(std::string_view line, std::size_t room);

}  // namespace goondan::cli
