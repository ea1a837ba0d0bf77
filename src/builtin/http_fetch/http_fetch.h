// The built-in tool `http-fetch`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::http_fetch {

Definition definition();

}  // namespace goondan::builtin::http_fetch
