#include "net/until.h"

#include <array>

namespace goondan::net {

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

Result<void> wait_for(int fd, short events, const Until& until) {
  std::array<pollfd, 1> fds{pollfd{.fd = fd, .events = events, .revents = 0}};
  const os::Wake wake = os::wait_any(fds, until.deadline, until.stop);
  if (wake != os::Wake::Ready) return wake_error(wake);
  return {};
}

}  // namespace goondan::net
