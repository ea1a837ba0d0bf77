// How long a piece of network work may take, and who may stop it.
#pragma once

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/wait.h"

namespace goondan::net {

// Borrows the waker for as long as the work takes.
struct Until {
  Deadline deadline;
  const os::StopWaker& stop;
};

// `E_NETWORK_TIMEOUT` or `E_TOOL_CANCELLED`; `HttpClient` puts what was being done into the words.
Error wake_error(os::Wake wake);

// Whether there is time left and nobody wants a stop. To be asked between two pieces of work that
// need not wait: a peer that is always ready must not outrun the deadline.
[[nodiscard]] Result<void> check(const Until& until);

// Waits for `events` on `fd`.
[[nodiscard]] Result<void> wait_for(int fd, short events, const Until& until);

}  // namespace goondan::net
