// The built-in tool `handles`: work that goes on after its call, and results too large to show.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::handles {

Definition definition();

}  // namespace goondan::builtin::handles
