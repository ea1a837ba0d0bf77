#include "host/peer/outbox.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace goondan::peer {

bool Outbox::has_room(std::size_t size) const {
  return frames_.empty() || unsent_ + size <= kMaxUnsentBytes;
}

// Sends of the first frame what goes at once; whether all of it went.
bool Outbox::send_front() {
  const std::string_view rest = std::string_view(frames_.front().bytes).substr(sent_);
  const ssize_t count = ::send(socket_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0) return false;  // a broken socket is seen by who reads from it
  sent_ += static_cast<std::size_t>(count);
  unsent_ -= static_cast<std::size_t>(count);
  if (static_cast<std::size_t>(count) < rest.size()) return false;
  frames_.pop_front();
  sent_ = 0;
  return true;
}

Outbox::Sent Outbox::put(std::string frame, std::uint64_t call) {
  const bool first = frames_.empty();
  unsent_ += frame.size();
  frames_.push_back({.call = call, .bytes = std::move(frame)});
  if (first && !send_front()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(flusher_, &one, sizeof one);
  }
  return Sent::Yes;
}

Outbox::Sent Outbox::offer(std::string frame, std::uint64_t call) {
  const std::scoped_lock lock(mutex_);
  if (phase_ == Phase::Closed) return Sent::Closed;
  if (!has_room(frame.size())) return Sent::Full;
  return put(std::move(frame), call);
}

Outbox::Sent Outbox::send(std::string frame, std::uint64_t call, Deadline deadline,
                          const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return phase_ == Phase::Closed || has_room(frame.size()); };
  if (!ready() && !room_.wait_until(lock, stop, deadline, ready)) {
    return stop.stop_requested() ? Sent::Stopped : Sent::TimedOut;
  }
  if (phase_ == Phase::Closed) return Sent::Closed;
  return put(std::move(frame), call);
}

bool Outbox::withdraw(std::uint64_t call) {
  const std::scoped_lock lock(mutex_);
  const auto begin = frames_.begin() + (sent_ > 0 ? 1 : 0);
  const auto found =
      std::find_if(begin, frames_.end(), [call](const Frame& frame) { return frame.call == call; });
  if (found == frames_.end()) return false;
  unsent_ -= found->bytes.size();
  frames_.erase(found);
  room_.notify_all();
  return true;
}

void Outbox::flush() {
  const std::scoped_lock lock(mutex_);
  while (!frames_.empty() && send_front()) {
  }
  room_.notify_all();
}

bool Outbox::pending() const {
  const std::scoped_lock lock(mutex_);
  return !frames_.empty();
}

void Outbox::close() {
  const std::scoped_lock lock(mutex_);
  phase_ = Phase::Closed;
  frames_.clear();
  sent_ = unsent_ = 0;
  room_.notify_all();
}

}  // namespace goondan::peer
