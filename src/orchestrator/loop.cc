#include "orchestrator/loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "os/os_error.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kMaxEventsPerRound = 128;
constexpr std::chrono::milliseconds kLongestWait{60'000};

}  // namespace

Loop::Watch::Watch(Watch&& other) noexcept
    : loop_(std::exchange(other.loop_, nullptr)), id_(other.id_) {}

Loop::Watch& Loop::Watch::operator=(Watch&& other) noexcept {
  if (this == &other) return *this;
  end();
  loop_ = std::exchange(other.loop_, nullptr);
  id_ = other.id_;
  return *this;
}

void Loop::Watch::end() {
  Loop* const loop = std::exchange(loop_, nullptr);
  if (loop == nullptr) return;
  const auto found = loop->entries_.find(id_);
  ::epoll_ctl(loop->epoll_.get(), EPOLL_CTL_DEL, found->second->fd, nullptr);
  loop->entries_.erase(found);
}

void Loop::Watch::want(std::uint32_t events) {
  if (loop_ == nullptr) return;
  Entry& entry = *loop_->entries_.at(id_);
  if (entry.events == events) return;
  entry.events = events;
  epoll_event event{.events = events, .data = {.u64 = id_}};
  ::epoll_ctl(loop_->epoll_.get(), EPOLL_CTL_MOD, entry.fd, &event);
}

Loop::Timer::Timer(Timer&& other) noexcept
    : loop_(std::exchange(other.loop_, nullptr)), key_(other.key_) {}

Loop::Timer& Loop::Timer::operator=(Timer&& other) noexcept {
  if (this == &other) return *this;
  cancel();
  loop_ = std::exchange(other.loop_, nullptr);
  key_ = other.key_;
  return *this;
}

void Loop::Timer::cancel() {
  if (Loop* const loop = std::exchange(loop_, nullptr)) loop->timers_.erase(key_);
}

bool Loop::Timer::pending() const {
  return loop_ != nullptr && loop_->timers_.contains(key_);
}

Result<std::unique_ptr<Loop>> Loop::make() {
  os::UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return os::os_error("cannot wait for several descriptors", errno);
  return std::unique_ptr<Loop>(new Loop(std::move(epoll)));
}

Result<Loop::Watch> Loop::watch(int fd, std::uint32_t events, Ready ready) {
  const std::uint64_t id = ++last_id_;
  epoll_event event{.events = events, .data = {.u64 = id}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return os::os_error("cannot wait for a descriptor", errno);
  }
  entries_.emplace(id, std::make_shared<Entry>(fd, events, std::move(ready)));
  return Watch(*this, id);
}

Loop::Timer Loop::at(Deadline when, Action action) {
  const Timer::Key key(when, ++last_id_);
  timers_.emplace(key, std::move(action));
  return {*this, key};
}

void Loop::defer(Action action) {
  deferred_.push_back(std::move(action));
}

void Loop::round(Deadline limit) {
  run_ready(wait_time(limit));
  run_due();
  run_deferred();
}

int Loop::wait_time(Deadline limit) const {
  if (!deferred_.empty()) return 0;
  if (!timers_.empty()) limit = std::min(limit, timers_.begin()->first.first);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      std::min<Clock::duration>(limit - Clock::now(), kLongestWait));
  return static_cast<int>(std::max(left, std::chrono::milliseconds(0)).count());
}

void Loop::run_ready(int timeout_ms) {
  std::array<epoll_event, kMaxEventsPerRound> events;
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const auto found = entries_.find(event.data.u64);
    if (found == entries_.end()) continue;  // ended by a call before this one
    const std::shared_ptr<Entry> entry = found->second;
    entry->ready(event.events);
  }
}

void Loop::run_due() {
  const Deadline now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const auto node = timers_.extract(timers_.begin());
    node.mapped()();
  }
}

void Loop::run_deferred() {
  // What these put off in turn is for the next round.
  const std::vector<Action> now = std::exchange(deferred_, {});
  for (const Action& action : now)
    action();
}

}  // namespace goondan::orchestrator
