#include "oauth/callback/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

#include "oauth/callback/page.h"
#include "oauth/callback/request.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kMostDrained = std::size_t{1} << 20;
constexpr std::chrono::seconds kDrainTime{1};
constexpr std::string_view kHeadEnd = "\r\n\r\n";

}  // namespace

CallbackConnection::CallbackConnection(os::UniqueFd fd, std::uint16_t port, Deadline now)
    : fd_(std::move(fd)), port_(port), begun_(now), last_byte_(now), end_(now + kCallbackTime) {}

int CallbackConnection::fd() const {
  return phase_ == Phase::Asked || phase_ == Phase::Over ? -1 : fd_.get();
}

short CallbackConnection::events() const {
  return phase_ == Phase::Writing ? POLLOUT : POLLIN;
}

Deadline CallbackConnection::gives_way_at() const {
  if (phase_ != Phase::Reading && phase_ != Phase::Draining) return Deadline::max();
  return std::min(last_byte_ + kCallbackSilence, begun_ + kCallbackPatience);
}

std::optional<std::string> CallbackConnection::proceed(Deadline now) {
  if (phase_ == Phase::Reading) return read_head(now);
  if (phase_ == Phase::Writing) write(now);
  if (phase_ == Phase::Draining) drain(now);
  return std::nullopt;
}

std::optional<std::string> CallbackConnection::receive(Deadline now) {
  std::array<char, 4096> buffer;
  const ssize_t size = ::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size > 0) {
    last_byte_ = now;
    return std::string(buffer.data(), static_cast<std::size_t>(size));
  }
  const bool later = size < 0 && (errno == EAGAIN || errno == EINTR);
  if (!later) phase_ = Phase::Over;
  return std::nullopt;
}

std::optional<std::string> CallbackConnection::read_head(Deadline now) {
  const std::optional<std::string> more = receive(now);
  if (!more) return std::nullopt;
  const std::size_t from = text_.size() < kHeadEnd.size() ? 0 : text_.size() - kHeadEnd.size();
  text_ += *more;
  const std::size_t end = text_.find(kHeadEnd, from);
  const bool too_large = std::min(end, text_.size()) > kMaxCallbackHead;
  if (too_large) {
    answer(refusal_answer(431), now);
  } else if (end != std::string::npos) {
    phase_ = Phase::Asked;
    text_.resize(end);
    return std::exchange(text_, {});
  }
  return std::nullopt;
}

void CallbackConnection::answer(std::string text, Deadline now) {
  text_ = std::move(text);
  phase_ = Phase::Writing;
  begun_ = now;
  end_ = now + kCallbackTime;
  write(now);  // nearly always all of it
}

void CallbackConnection::write(Deadline now) {
  while (!text_.empty()) {
    const ssize_t sent = ::send(fd_.get(), text_.data(), text_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (sent < 0) {
      phase_ = Phase::Over;
      return;
    }
    text_.erase(0, static_cast<std::size_t>(sent));
  }
  ::shutdown(fd_.get(), SHUT_WR);
  phase_ = Phase::Draining;
  begun_ = last_byte_ = now;
  end_ = now + kDrainTime;
}

void CallbackConnection::drain(Deadline now) {
  const std::optional<std::string> more = receive(now);
  if (more) drained_ += more->size();
  if (drained_ > kMostDrained) phase_ = Phase::Over;
}

void CallbackConnection::time_passed(Deadline now) {
  if (phase_ == Phase::Asked || now < end_) return;
  if (phase_ == Phase::Reading && !text_.empty()) {
    answer(refusal_answer(408), now);
  } else {
    phase_ = Phase::Over;
  }
}

}  // namespace goondan::oauth
