// The parameters of an export: a JSON Schema of type object.
#pragma once

#include <goondan/json.h>

#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// Reports parameters that are no schema, or one that no arguments could fit, at the line where
// the schema goes wrong. `json` is the value at `place`.
void check_parameters(const Place& place, const Json& json, Diagnostics& diagnostics);

}  // namespace goondan
