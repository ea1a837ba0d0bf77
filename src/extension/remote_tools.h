// Tools that a remote extension registers while the agent runs.
#pragma once

#include "extension/remote_layers.h"

namespace goondan {

// Puts `item` (`{name, description?, parameters?}`) into the registry; calls go to what the other
// side calls `tool`. The extension's own tool of that name is replaced.
Result<void> add_remote_tool(const std::shared_ptr<const RemoteParts>& parts, const Json& item,
                             const Json& tool);

}  // namespace goondan
