// A process that another one has started for us and that we have adopted.
#pragma once

#include <optional>
#include <set>
#include <sys/types.h>

#include <goondan/result.h>

#include "os/child.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

// A resource; the process may outlive it. Thread-compatible.
class AdoptedProcess {
 public:
  // Fails with `E_IO` if there is no such process any more.
  static Result<AdoptedProcess> open(pid_t pid);

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Becomes readable when the process ends.
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }

  // How it ended, once it has; reaps it. Unknown if it is not ours to wait for.
  std::optional<os::ExitStatus> ended();
  // Kills it and everything it has started; `ended` then tells.
  void kill();

 private:
  AdoptedProcess(pid_t pid, os::UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_;
  os::UniqueFd pidfd_;
};

// Kills with everything they have started, and reaps, the children that are not in `wanted`: what
// dead agents have left. One that is still dying is reaped by the next call.
void sweep_orphans(const std::set<pid_t>& wanted);

}  // namespace goondan::orchestrator
