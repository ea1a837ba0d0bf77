// Patterns of file names: `*` and `?` within a part of a path, `**` across parts, `[a-z]`,
// `[!a-z]`, and `\` before a character that means itself. Names that begin with a dot are like any
// other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "changeset/changesets.h"

namespace goondan::changeset {

// Whether `path` (relative, `/` between parts) matches as a whole. `a/**` is everything below `a`,
// `**/a` is `a` in any folder. Takes time in proportion to the product of the two lengths.
bool glob_matches(std::string_view pattern, std::string_view path);

// Those of `paths` (relative to the bundle's root) that the policy does not let be changed.
std::vector<std::string> violations(const Policy& policy, const std::vector<std::string>& paths);

}  // namespace goondan::changeset
