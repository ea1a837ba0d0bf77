// Whether the value of a keyword looks as the standard wants it: the part of "is this a schema"
// that needs no other place than the keyword's own.
#pragma once

#include <optional>
#include <string>

#include <goondan/json.h>

#include "schema/keyword.h"

namespace goondan::schema {

struct ShapeProblem {
  std::string place;            // a JSON pointer below the keyword; mostly empty
  std::string message;          // `must be a string but is 12`
  std::string suggestion = {};  // may be empty
};

// Looks at `value` but not into the subschemas it may hold.
std::optional<ShapeProblem> find_shape_problem(const Keyword& keyword, const Json& value);

// The end of a problem's message.
std::string but_is(const Json& value);

}  // namespace goondan::schema
