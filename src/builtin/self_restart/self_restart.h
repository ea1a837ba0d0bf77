// The built-in tool `self-restart`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::self_restart {

Definition definition();

}  // namespace goondan::builtin::self_restart
