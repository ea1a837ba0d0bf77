// The JSON value that tools take and return, and its text. Key order is kept.
//
// The types are Boost.JSON's under our names; no other third-party type appears in the public
// headers. Reading and writing are ours, with the strictness that foreign text needs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <goondan/result.h>

namespace goondan {

using Json = boost::json::value;
using JsonArray = boost::json::array;
using JsonObject = boost::json::object;
using JsonString = boost::json::string;

struct JsonLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  std::size_t max_depth = 64;
};

// Reads exactly one JSON value. Refuses what later stages would have to guess about: duplicate
// keys, invalid UTF-8, trailing text, nesting deeper than `max_depth`, more than `max_bytes`. The
// error (`E_JSON_PARSE` or `E_LIMIT`) names line and column.
Result<Json> parse_json(std::string_view text, JsonLimits limits = {});

// Compact text: shortest numbers that read back the same (`1.5`, not `1.5E0`), always valid UTF-8
// (a stray byte becomes U+FFFD), numbers that JSON cannot say (NaN) as null.
std::string to_text(const Json& value);

// The same over several lines, two spaces a level; for people.
std::string to_pretty_text(const Json& value);

// A number that neither 64 bits nor a double can hold, by its text (`12345678901234567890123`); a
// null if `text` is no JSON number. It is an object whose one key begins with a NUL byte; the
// functions above write it as the bare number, and only if its text is one.
Json exact_number(std::string_view text);

// Appends the compact text of `value` to `out`.
void append_text(std::string& out, const Json& value);

// Appends `text` as a JSON string literal, quotes included.
void append_quoted(std::string& out, std::string_view text);

}  // namespace goondan
