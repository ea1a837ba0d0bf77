// The names behind `type` in the schemas that a bundle writes down.
#pragma once

#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// Reports names that JSON Schema does not know, in the schema at `schema` and in those inside it.
// Checking a value lets an unknown type pass, for schemas that come from elsewhere; in a bundle it
// is a slip of the author, and every argument would pass.
void check_type_names(const Place& schema, Diagnostics& diagnostics);

}  // namespace goondan
