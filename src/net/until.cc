#include "net/until.h"

#include <algorithm>
#include <array>

namespace goondan::net {

Until Until::from_now() const {
  Until until = *this;
  if (idle) until.deadline = std::min(deadline, Clock::now() + *idle);
  return until;
}

Error wake_error(os::Wake wake) {
  if (wake == os::Wake::Stopped) {
    return {.code = ErrorCode::ToolCancelled, .message = "the request was stopped"};
  }
  return {.code = ErrorCode::NetworkTimeout, .message = "the request timed out"};
}

Result<void> check(const Until& until) {
  if (until.stop.stopped()) return wake_error(os::Wake::Stopped);
  if (until.deadline != Deadline::max() && until.deadline <= Clock::now()) {
    return wake_error(os::Wake::TimedOut);
  }
  return {};
}

Result<short> wait_for(int fd, short events, const Until& until) {
  std::array<pollfd, 1> fds{pollfd{.fd = fd, .events = events, .revents = 0}};
  if (until.stop.can_stop() && !until.stop.has_waker()) {
    const Deadline soon = std::min(until.deadline, Clock::now() + kShortWait);
    if (os::wait_any(fds, soon, os::StopWaker()) == os::Wake::Ready) return fds[0].revents;
    GDN_TRY(check(until));
  }
  const os::Wake wake = os::wait_any(fds, until.deadline, until.stop.waker());
  if (wake != os::Wake::Ready) return wake_error(wake);
  return fds[0].revents;
}

}  // namespace goondan::net
