// The built-in tool `bash`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::bash {

Definition definition();

}  // namespace goondan::builtin::bash
