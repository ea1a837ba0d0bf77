// Running a program to its end and keeping what it prints.
#pragma once

#include <cstddef>
#include <string>

#include <goondan/result.h>

#include "os/child.h"

namespace goondan::os {

struct Captured {
  Wake ended = Wake::Ready;  // TimedOut, Stopped: it was killed with everything it started
  ExitStatus status = {};
  std::string output = {};        // standard output and error, as they came
  std::size_t bytes_dropped = 0;  // printed beyond `max_output`
};

struct CaptureOptions {
  ChildOptions child;  // its standard descriptors are set by `run_captured`
  std::size_t max_output = std::size_t{64} * 1024;
  Deadline deadline = Deadline::max();
};

// Returns when the program has ended, even if something it started still holds its output open.
// Fails only if it could not be started.
Result<Captured> run_captured(CaptureOptions options, const StopWaker& stop = StopWaker());

}  // namespace goondan::os
