// What to tell about a document that is not JSON.
#pragma once

#include <string_view>

#include <goondan/error.h>

#include "builtin/json_query/lexer.h"

namespace goondan::builtin::json_query {

// `Failed to parse input as JSON`, where (line and column, counted in code points), and what was
// expected there. `E_JSON_PARSE`, or `E_LIMIT` for a document that is too deep.
Error scan_error(std::string_view document, std::size_t position, Problem problem);

}  // namespace goondan::builtin::json_query
