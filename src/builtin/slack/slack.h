// The built-in tool `slack`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::slack {

Definition definition();

}  // namespace goondan::builtin::slack
