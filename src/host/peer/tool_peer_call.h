// A tool's handler on the other side of a `Peer`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <goondan/resources.h>

#include "host/peer/peer.h"

namespace goondan {

struct ToolPeerCall {
  std::string_view method;
  JsonObject params = {};
  // Of the handler's resource. The first is told what is around the call, too.
  Dialect dialect = Dialect::V1;
  // What serves requests other than `runtime`; empty: they are refused.
  std::function<Result<Json>(const std::string&, const Json&)> other = {};
};

// Calls the method with its params and the call's `context`, within its deadline and until its
// stop. Logs, progress and `runtime` requests go where those of a handler here would.
Result<Json> call_tool_peer(Peer& peer, ToolContext& context, ToolPeerCall given);

}  // namespace goondan
