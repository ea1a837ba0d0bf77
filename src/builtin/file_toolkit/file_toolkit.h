// `fileToolkit` of the first dialect (S0 §11.1): files in an encoding of one's choice.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::file_toolkit {

Definition definition();

}  // namespace goondan::builtin::file_toolkit
