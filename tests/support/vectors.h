// Behaviour as data: cases read from `tests/data/vectors/*.jsonl`.
//
// Each line is {id, tool, input, setup?, expect}; `expect` may hold matchers ($any: not null,
// $contains, $regex, $length, $includes, $json, $type: string) anywhere.
#pragma once

#include <string>
#include <vector>

#include <goondan/json.h>

namespace goondan::testing {

std::vector<Json> load_vectors(const std::string& file_name);

// The first difference between what is wanted and what came, as text; empty if none.
std::string difference(const Json& want, const Json& got, const std::string& path = "output");

// Checks `{status, output?, error?, ...}` against a vector's `expect`: status, output, error,
// handle, errorContains, absent, handlerCalls. Empty if it fits.
std::string unexpected(const Json& expect, const Json& got);

}  // namespace goondan::testing
