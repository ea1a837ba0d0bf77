// The built-in tool `telegram`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::telegram {

Definition definition();

}  // namespace goondan::builtin::telegram
