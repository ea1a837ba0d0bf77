// Schemas that would be checked forever: `{"$ref": "#"}`.
#pragma once

#include "schema/program.h"

namespace goondan::schema {

// A node that applies itself to the same value again, by whatever way; `kNone` if there is none.
// Does not follow `$dynamicRef`, whose way is only known while checking; there the limit on open
// nodes ends it.
NodeIndex find_loop(const Program& program);

}  // namespace goondan::schema
