// The built-in tool `file-system`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::file_system {

Definition definition();

}  // namespace goondan::builtin::file_system
