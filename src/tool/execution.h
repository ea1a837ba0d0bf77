// Running one admitted call on the current thread: middleware, handler, and what came of it.
#pragma once

#include <goondan/executor.h>

#include "tool/admission.h"

namespace goondan {

// Runs the pipeline (if any) around the handler. Never throws: an exception of the handler or of a
// middleware becomes an error result. Does not look at the clock; the caller does.
ToolCallResult execute(const Admission& admission, const ToolCall& call,
                       const ExecutorOptions& options, ToolContext& context);

// The call's own limit or else the executor's, at most a year: a deadline must not overflow.
std::chrono::milliseconds effective_timeout(const CallOptions& call, const ExecutorOptions& all);

// The error of a call that was stopped: `E_TOOL_CANCELLED`, or `E_TOOL_TIMEOUT` naming the limit.
Error cancelled_error(const ToolCall& call);
Error timeout_error(const ToolCall& call, std::chrono::milliseconds limit);

}  // namespace goondan
