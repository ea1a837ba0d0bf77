// Whether two JSON values are the same by the rules of JSON Schema: 1 and 1.0 are, and objects are
// whatever the order of their members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <goondan/json.h>

#include "schema/budget.h"

namespace goondan::schema {

// Values that are nested deeper exhaust the budget instead of the stack.
inline constexpr std::size_t kMaxComparedDepth = 256;

bool equal(const Json& a, const Json& b, Budget& budget);

// The same for equal values.
std::uint64_t hash_value(const Json& value, Budget& budget);

// Two equal items of `array` as (earlier index, later index), if there are any. Takes time in
// proportion to n log n for n scalars; allocates nothing for up to 256 items.
std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(const JsonArray& array,
                                                                  Budget& budget);

}  // namespace goondan::schema
