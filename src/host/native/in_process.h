// Calling a plugin in our own process: microseconds a call, and no protection from it.
#pragma once

#include <goondan/json.h>
#include <goondan/plugin_abi.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan {

// Runs the handler on this thread, for as long as it takes. The answer, the tool's own error, or
// `E_TOOL_BAD_REPLY`.
Result<Json> call_in_process(const gdn_export& exported, ToolContext& context,
                             const JsonObject& input);

}  // namespace goondan
