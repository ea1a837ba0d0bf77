// Numbers that keep their value.
#pragma once

#include <string_view>

#include <goondan/json.h>

namespace goondan::builtin::json_query {

// The value of `text`, a JSON number: an integer of 64 bits; a double, if its shortest text says
// the same number (1.0, 1e2, 0.1); otherwise the text itself (`exact_number`).
Json number_value(std::string_view text);

}  // namespace goondan::builtin::json_query
