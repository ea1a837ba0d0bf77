// `swarmBundle` of the first dialect (S0 §11.2): an agent changes its own bundle.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::swarm_bundle {

Definition definition();

}  // namespace goondan::builtin::swarm_bundle
