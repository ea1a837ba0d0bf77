// Running a prepared command, and what a result says about how it went.
#pragma once

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "builtin/tool_definition.h"
#include "os/command_host.h"

namespace goondan::builtin::bash {

// Runs `command` for as long as the call's `timeoutMs` says. A command that was stopped is the
// error `E_TOOL_CANCELLED`; one whose time was up is an outcome.
Result<os::CommandOutcome> run(const Services& services, const ToolContext& context,
                               os::Command command, const JsonObject& input);

// Adds `durationMs`, `stdout`, `stderr`, `exitCode`, `signal` and `timedOut`; `truncated` with the
// full lengths if something was cut, and `endedBackground` if something was left running.
void add_outcome(JsonObject& result, const os::CommandOutcome& outcome, const Redactor& redactor);

}  // namespace goondan::builtin::bash
