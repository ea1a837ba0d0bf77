// What one `gdn call` may reach: the bundle's policy and what the flags add to it.
#pragma once

#include <optional>

#include <goondan/bundle.h>

#include "cli/commands.h"

namespace goondan::cli {

// The policy of the bundle's swarm, if it has just one, widened by the flags. Paths are absolute
// afterwards. Fails with `E_USAGE` for a flag that cannot be read.
Result<Policy> call_policy(const CallRequest& request, const std::optional<Bundle>& bundle);

// What the bundle's policy opens to built-in tools beyond the safe default, in words; empty if
// nothing.
std::string bundle_grants(const std::optional<Bundle>& bundle);

}  // namespace goondan::cli
