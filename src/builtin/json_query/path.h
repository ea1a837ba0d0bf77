// Paths such as `users[0].name`.
//
// One leading dot is left out. `[` and `]` end a segment, and so does `.` outside brackets; empty
// segments vanish. Nothing is quoted or escaped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace goondan::builtin::json_query {

// The segments of `path`; none for the whole document.
std::vector<std::string> parse_path(std::string_view path);

// The position in an array that `segment` means: the digits it begins with, after white space and
// perhaps a sign (`1x` is 1). Nothing if it is negative or has none; one past any array if it is
// larger than that.
std::optional<std::size_t> array_position(std::string_view segment);

}  // namespace goondan::builtin::json_query
