// Asking the runtime on behalf of a call.
#pragma once

#include <chrono>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "builtin/arguments.h"

namespace goondan::builtin {

// The runtime's answer, an object. Fails with `E_RUNTIME_UNAVAILABLE` where no agents run, with
// `E_TOOL_BAD_REPLY` for an answer that is no object, and with the runtime's own errors.
Result<JsonObject> runtime_request(const ToolContext& context, std::string_view method,
                                   JsonObject params);

// `timeoutMs`, whose schema keeps it above 0 and within a day, rounded up to whole milliseconds.
std::int64_t wanted_time(const JsonObject& input, std::chrono::milliseconds otherwise);

// How long the runtime may take: what `timeoutMs` says, or less if the call itself must end before.
struct WaitTime {
  std::int64_t milliseconds;  // at least 1
  LimitedBy by;
};

WaitTime wait_time(const ToolContext& context, const JsonObject& input,
                   std::chrono::milliseconds otherwise);

// Copies the fields `keys` that are there and not null from one object to the other.
void copy_fields(const JsonObject& from, std::initializer_list<std::string_view> keys,
                 JsonObject& to);

}  // namespace goondan::builtin
