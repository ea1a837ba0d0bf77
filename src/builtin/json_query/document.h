// The arguments that the exports have in common.
#pragma once

#include <string>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/json_query/scanner.h"

namespace goondan::builtin::json_query {

// A scanner at the beginning of the argument `data`; fails if that is missing, empty or too large.
Result<Scanner> open_document(const JsonObject& input);

// The argument `path`, by default the whole document.
std::string path_argument(const JsonObject& input);

// Fails unless the document is of the `wanted` kind; `operation` is who wants it. A document that
// is something else is checked to its end first: that it is no JSON is the better answer.
Result<void> expect_kind(Scanner& scanner, Kind wanted, std::string_view operation);

}  // namespace goondan::builtin::json_query
