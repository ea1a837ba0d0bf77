#include "os/wait.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <sys/eventfd.h>
#include <unistd.h>

namespace goondan::os {
namespace {

// How often a stop is looked for when no eventfd could be had for it.
constexpr std::chrono::milliseconds kWithoutEvent{10};

UniqueFd make_event(const std::stop_token& stop) {
  return stop.stop_possible() ? UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) : UniqueFd();
}

timespec to_timespec(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = static_cast<time_t>(seconds.count()),
          .tv_nsec = static_cast<long>((time - seconds).count())};
}

// How long the next `ppoll` may take; nothing means for ever.
std::optional<timespec> time_left(Deadline deadline, const StopWaker& stop) {
  const bool blind = stop.can_stop() && stop.fd() < 0;
  if (deadline == Deadline::max() && !blind) return std::nullopt;
  const Deadline now = Clock::now();
  if (deadline <= now) return timespec{};
  if (blind && deadline - now > kWithoutEvent) return to_timespec(kWithoutEvent);
  return to_timespec(deadline - now);
}

bool any_event(std::span<const pollfd> fds) {
  return std::ranges::any_of(fds, [](const pollfd& fd) { return fd.revents != 0; });
}

Wake wait_one(int fd, short events, Deadline deadline, const StopWaker& stop) {
  std::array<pollfd, 1> fds{pollfd{.fd = fd, .events = events, .revents = 0}};
  return wait_any(fds, deadline, stop);
}

}  // namespace

void StopWaker::Signal::operator()() const {
  const std::uint64_t one = 1;
  // It can only fail if the counter is full, and then the event is pending already.
  [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
}

StopWaker::StopWaker(std::stop_token stop) : stop_(std::move(stop)), event_(make_event(stop_)) {
  if (event_) callback_.emplace(stop_, Signal{event_.get()});
}

Wake wait_any(std::span<pollfd> fds, Deadline deadline, const StopWaker& stop) {
  std::array<pollfd, kMaxWaitFds + 1> all{};
  if (fds.size() > kMaxWaitFds) std::abort();
  std::ranges::copy(fds, all.begin());
  all[fds.size()] = {.fd = stop.fd(), .events = POLLIN, .revents = 0};
  while (true) {
    if (stop.stopped()) return Wake::Stopped;
    const std::optional<timespec> left = time_left(deadline, stop);
    const int count = ::ppoll(all.data(), fds.size() + 1, left ? &*left : nullptr, nullptr);
    if (stop.stopped()) return Wake::Stopped;
    if (count > 0) std::copy_n(all.begin(), fds.size(), fds.begin());
    if (count > 0 && any_event(fds)) return Wake::Ready;
    if (count == 0 && deadline <= Clock::now()) return Wake::TimedOut;
  }
}

Wake wait_readable(int fd, Deadline deadline, const StopWaker& stop) {
  return wait_one(fd, POLLIN, deadline, stop);
}

Wake wait_readable(int fd, Deadline deadline, const std::stop_token& stop) {
  return wait_readable(fd, deadline, StopWaker(stop));
}

Wake wait_writable(int fd, Deadline deadline, const StopWaker& stop) {
  return wait_one(fd, POLLOUT, deadline, stop);
}

}  // namespace goondan::os
