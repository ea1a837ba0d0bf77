// The built-in tool `text-transform`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::text_transform {

Definition definition();

}  // namespace goondan::builtin::text_transform
