// How long a piece of network work may take, and who may stop it.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/wait.h"

namespace goondan::net {

// A stop request of one piece of work, made visible to `poll` only when a wait turns out to be a
// long one: a descriptor for each of many short requests would cost a tenth of their speed.
// Thread-compatible; the stop may be requested from any thread.
class StopSignal {
 public:
  explicit StopSignal(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] bool can_stop() const { return stop_.stop_possible(); }
  [[nodiscard]] bool has_waker() const { return waker_.has_value(); }
  [[nodiscard]] const os::StopWaker& waker() const {
    return waker_ ? *waker_ : waker_.emplace(stop_);
  }

 private:
  std::stop_token stop_;
  mutable std::optional<os::StopWaker> waker_;
};

// A stop may be noticed so much later than it is requested.
inline constexpr std::chrono::milliseconds kShortWait{5};

// Borrows the signal for as long as the work takes.
struct Until {
  Deadline deadline;
  const StopSignal& stop;
  std::optional<std::chrono::milliseconds> idle = {};  // the longest wait for bytes; none: any

  // The same for a wait that begins now: it ends after `idle` at the latest.
  [[nodiscard]] Until from_now() const;
};

// `E_NETWORK_TIMEOUT` or `E_TOOL_CANCELLED`; `HttpClient` puts what was being done into the words.
Error wake_error(os::Wake wake);

// Whether there is time left and nobody wants a stop. To be asked between two pieces of work that
// need not wait: a peer that is always ready must not outrun the deadline.
[[nodiscard]] Result<void> check(const Until& until);

// Waits for one of `events` on `fd` and returns those that came, errors and the end among them.
[[nodiscard]] Result<short> wait_for(int fd, short events, const Until& until);

}  // namespace goondan::net
