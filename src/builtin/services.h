// Making the services that built-in tools share from what the operator grants.
#pragma once

#include <goondan/goondan.h>

#include "builtin/tool_definition.h"

namespace goondan::builtin {

// Fails with `E_CONFIG` if a host in the policy cannot be read.
Result<std::shared_ptr<const Services>> make_services(const BuiltinOptions& options);

}  // namespace goondan::builtin
