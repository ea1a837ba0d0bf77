// The order in which lists show paths: the one that people expect, whatever the machine's locale.
//
// Letters count before their case (`a`, `B`, `c`; of `a` and `A` the small one first), digits come
// before letters and punctuation before digits, in the order of the Unicode collation for ASCII.
// The letters of European languages with marks (U+00C0 to U+017F) count as those without, and come
// after them where nothing else differs. What else is not ASCII follows by code point.
#pragma once

#include <cstdint>
#include <string_view>

namespace goondan::os {

// A strict total order of byte strings without NUL.
bool path_less(std::string_view a, std::string_view b);

// The beginning of `path` as a number: where two differ, they are ordered as the paths are.
std::uint64_t path_head(std::string_view path);

}  // namespace goondan::os
