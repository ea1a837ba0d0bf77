// "Did you mean ...?" for a path that is not there.
#pragma once

#include <string>

#include "os/workspace.h"

namespace goondan::os {

// A sentence that names something alike beside the first missing part of `path`; empty if there is
// nothing alike. Looks at a bounded number of names.
std::string nearest_name_suggestion(const RootedPath& path);

}  // namespace goondan::os
