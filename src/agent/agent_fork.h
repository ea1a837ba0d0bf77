// Forking an agent from the zygote so that the orchestrator becomes its parent.
#pragma once

#include <functional>
#include <sys/types.h>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::agent {

// Forks twice: the process in between ends at once, and the new process goes to the nearest
// ancestor that adopts. There it keeps standard output and error and `socket`, and nothing else;
// signals are at their defaults, but that it does not die of SIGPIPE or of what a terminal sends.
// It runs `work` and exits with what that returns. The caller must have one thread only. Returns
// the number of the new process.
Result<pid_t> fork_agent(os::UniqueFd socket, const std::function<int(os::UniqueFd)>& work);

}  // namespace goondan::agent
