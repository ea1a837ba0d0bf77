#include "host/peer/waiting_calls.h"

#include "base/spin.h"

namespace goondan::peer {
namespace {

bool only_said(const Incoming& message) {
  return message.type == Incoming::Type::Notify &&
         (message.method == "log" || message.method == "progress" ||
          message.method == "events.emit");
}

}  // namespace

WaitingCalls::Place::Place(WaitingCalls& calls, std::uint64_t id) : calls_(calls), id_(id) {
  const std::scoped_lock lock(calls_.mutex_);
  calls_.places_.emplace(id_, this);
}

WaitingCalls::Place::~Place() {
  const std::scoped_lock lock(calls_.mutex_);
  calls_.places_.erase(id_);
  for (const Incoming& message : queue_)
    calls_.queued_bytes_ -= message.bytes;
}

WaitingCalls::Place::Event WaitingCalls::Place::next(Deadline deadline,
                                                     const std::stop_token& stop) {
  spin_until([this] { return told_.load(std::memory_order_relaxed); }, kReplySpin);
  std::unique_lock lock(calls_.mutex_);
  const auto something = [&] {
    return !queue_.empty() || calls_.end_error_ || stop.stop_requested();
  };
  const bool in_time = changed_.wait_until(lock, deadline, something);
  if (stop.stop_requested()) return {.wake = Wake::Stopped};
  if (!in_time || deadline <= Clock::now()) return {.wake = Wake::TimedOut};
  if (queue_.empty()) return {.wake = Wake::Ended};  // its last words come before its end
  Event event{.wake = Wake::Message, .message = std::move(queue_.front())};
  queue_.pop_front();
  told_ = !queue_.empty();
  calls_.queued_bytes_ -= event.message.bytes;
  return event;
}

void WaitingCalls::Place::wake() {
  const std::scoped_lock lock(calls_.mutex_);
  told_ = true;
  changed_.notify_one();
}

WaitingCalls::Delivery WaitingCalls::deliver(Incoming& message) {
  const bool reply = message.type == Incoming::Type::Reply;
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(reply ? message.id : message.call.value_or(0));
  if (found == places_.end()) return Delivery::NoSuchCall;
  Place& place = *found->second;
  const bool said = only_said(message);
  const std::size_t share = said ? 2 : 1;
  const bool full = !reply && place.queue_.size() >= kMaxQueuedMessages / share;
  if (full || queued_bytes_ + message.bytes > kMaxQueuedBytes / share) {
    if (said) ++place.dropped_;
    return said ? Delivery::Dropped : Delivery::Flood;
  }
  if (reply && place.dropped_ > 0) place.queue_.push_back(dropped_note(place.dropped_));
  queued_bytes_ += message.bytes;
  place.queue_.push_back(std::move(message));
  place.told_ = true;
  place.changed_.notify_one();
  if (reply) places_.erase(found);  // nothing belongs to it any more
  return Delivery::Taken;
}

void WaitingCalls::end(Error error) {
  const std::scoped_lock lock(mutex_);
  if (!end_error_) end_error_ = std::move(error);
  for (const auto& [id, place] : places_) {
    place->told_ = true;
    place->changed_.notify_one();
  }
}

Error WaitingCalls::end_error() const {
  const std::scoped_lock lock(mutex_);
  return end_error_.value_or(Error{.message = "it has not ended"});
}

bool WaitingCalls::ended() const {
  const std::scoped_lock lock(mutex_);
  return end_error_.has_value();
}

}  // namespace goondan::peer
