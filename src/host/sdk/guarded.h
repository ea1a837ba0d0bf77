// The border where an author's exceptions end: nothing may be thrown into the runtime.
#pragma once

#include <exception>

#include <goondan/result.h>

#include "host/sdk/call_parts.h"

namespace goondan::plugin {

// What `run()` returns, a `Result`; an error with `code` if it throws.
template <class Run>
auto guarded(ErrorCode code, Run run) noexcept -> decltype(run()) {
  try {
    return run();
  } catch (const std::exception& exception) {
    return Error{.code = code, .message = exception.what()};
  } catch (...) {
    return Error{.code = code, .message = "Unknown tool execution error"};
  }
}

// Gives `call` its one reply: what `run()` returns, a `Result<Json>`, or what went wrong.
template <class Run>
void reply_guarded(const gdn_call& call, ErrorCode code, Run run) noexcept {
  const Result<void> replied = guarded(code, [&]() -> Result<void> {
    reply(call, run());
    return {};
  });
  if (!replied.ok()) reply(call, replied.error());
}

}  // namespace goondan::plugin
