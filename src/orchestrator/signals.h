// Signals as something the loop can wait for.
#pragma once

#include <functional>

#include <goondan/result.h>

#include "orchestrator/loop.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

// Blocks SIGTERM, SIGINT, SIGHUP and SIGCHLD for this process (they stay blocked through an exec,
// so that none is lost) and calls `arrived` with each that comes. Confined to the loop.
class Signals {
 public:
  static Result<Signals> make(Loop& loop, std::function<void(int signal)> arrived);

 private:
  Signals(os::UniqueFd fd, Loop::Watch watch) : fd_(std::move(fd)), watch_(std::move(watch)) {}
  os::UniqueFd fd_;
  Loop::Watch watch_;
};

}  // namespace goondan::orchestrator
