// Every built-in tool.
#pragma once

#include <vector>

#include "builtin/tool_definition.h"

namespace goondan::builtin {

std::vector<Definition> all_definitions();

}  // namespace goondan::builtin
