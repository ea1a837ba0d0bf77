// A tool's handler on the other side of a `Peer`.
#pragma once

#include <functional>

#include "host/peer/peer.h"

namespace goondan {

// Calls `method` with `params` and the call's `context`, within its deadline and until its stop.
// Logs, progress and `runtime` requests go where those of a handler here would; other requests to
// `other` (empty: refused).
Result<Json> call_tool_peer(
    Peer& peer, ToolContext& context, std::string_view method, JsonObject params,
    const std::function<Result<Json>(const std::string&, const Json&)>& other = {});

}  // namespace goondan
