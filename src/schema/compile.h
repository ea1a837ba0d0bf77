// From a schema to the program that checks values.
#pragma once

#include <goondan/json.h>
#include <goondan/result.h>

#include "schema/program.h"
#include "schema/schema.h"

namespace goondan::schema {

// Fails with `E_SCHEMA` and the place in the schema.
Result<Program> compile_program(const Json& schema, const SchemaOptions& options);

}  // namespace goondan::schema
