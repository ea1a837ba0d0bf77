// Finds the value at a path, and checks the whole document on the way.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <goondan/result.h>

#include "builtin/json_query/scanner.h"

namespace goondan::builtin::json_query {

// Passes the whole document. Where the path ends, `at_target` is called and must pass the value;
// where a key on the path occurs again, the earlier one does not count, and `at_target` may be
// called again. True if the last call counts, false if there is no value at the path.
Result<bool> follow(Scanner& scanner, std::span<const std::string> path,
                    const std::function<bool()>& at_target);

}  // namespace goondan::builtin::json_query
