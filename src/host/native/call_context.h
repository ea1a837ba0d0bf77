// What a handler gets, as the text that crosses the border of a plugin.
#pragma once

#include <string>

#include <goondan/tool_context.h>

namespace goondan {

// `{agentName, instanceKey, turnId, traceId, toolCallId, workdir, message, timeoutMs}`; without
// `timeoutMs` if the call has no deadline.
std::string context_text(const ToolContext& context);

// The text of a call's arguments.
std::string input_text(const JsonObject& input);

}  // namespace goondan
