// Waiting for file descriptors, never past a deadline or a stop request. There is no other way to
// wait in the library.
#pragma once

#include <optional>
#include <poll.h>
#include <span>
#include <stop_token>

#include <goondan/tool_context.h>

#include "os/unique_fd.h"

namespace goondan::os {

enum class Wake { Ready, TimedOut, Stopped };

// Makes a stop request visible to `poll`. Make one for a piece of work and use it for all its
// waits. Thread-compatible; the stop may be requested from any thread.
class StopWaker {
 public:
  explicit StopWaker(std::stop_token stop = {});
  StopWaker(const StopWaker&) = delete;
  StopWaker& operator=(const StopWaker&) = delete;

  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] bool can_stop() const { return stop_.stop_possible(); }
  // Readable once the stop is requested; -1 if it never can be, or if descriptors have run out.
  [[nodiscard]] int fd() const { return event_.get(); }

 private:
  struct Signal {
    int fd;
    void operator()() const;
  };

  std::stop_token stop_;
  UniqueFd event_;
  std::optional<std::stop_callback<Signal>> callback_;  // before `event_` goes, this is gone
};

// How many descriptors one wait can watch.
inline constexpr std::size_t kMaxWaitFds = 8;

// Waits until one of `fds` has an event (then in its `revents`), the deadline has passed, or a
// stop is requested. A stop counts before an event, an event before the deadline. Waits for ever
// only with `Deadline::max()`. More than `kMaxWaitFds` descriptors are a bug.
Wake wait_any(std::span<pollfd> fds, Deadline deadline, const StopWaker& stop);

// `Ready` also at end of file and on errors: the following `read` tells.
Wake wait_readable(int fd, Deadline deadline, const StopWaker& stop);
Wake wait_readable(int fd, Deadline deadline, const std::stop_token& stop = {});
Wake wait_writable(int fd, Deadline deadline, const StopWaker& stop);

}  // namespace goondan::os
