// The built-in tools as resources: what `tool.yaml` says of each, without handlers.
#pragma once

#include <vector>

#include <goondan/resources.h>

namespace goondan {

// All of them, read once.
const std::vector<ToolResource>& builtin_tools();

}  // namespace goondan
