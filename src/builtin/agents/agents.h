// The built-in tool `agents`: asking, telling, starting and listing the other agents of the swarm.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::agents {

Definition definition();

}  // namespace goondan::builtin::agents
