// The built-in tool `json-query`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::json_query {

Definition definition();

}  // namespace goondan::builtin::json_query
