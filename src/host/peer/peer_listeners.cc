#include "host/peer/peer_listeners.h"

namespace goondan::peer {
namespace {

Result<Json> refused() {
  return Error{.code = ErrorCode::Limit,
               .message = "too many messages wait to be heard",
               .suggestion = "Send fewer at a time, and await the answers."};
}

}  // namespace

PeerListeners::~PeerListeners() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return phase_ != Phase::Telling; });
  phase_ = Phase::Closed;
}

void PeerListeners::add(std::shared_ptr<PeerListener> listener) {
  const std::scoped_lock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

std::vector<std::shared_ptr<PeerListener>> PeerListeners::listeners() const {
  const std::scoped_lock lock(mutex_);
  return listeners_;
}

void PeerListeners::post(Incoming message, Answer answer) {
  std::unique_lock lock(mutex_);
  if (items_.size() >= kMaxHeard || bytes_ + message.bytes > kMaxHeardBytes) {
    ++dropped_;
    lock.unlock();
    if (answer) answer(answer_frame(message.id, refused()));
    return;
  }
  if (listeners_.empty() && !answer) return;
  bytes_ += message.bytes;
  items_.push_back({.message = std::move(message), .answer = std::move(answer)});
  if (phase_ != Phase::Idle) return;
  phase_ = Phase::Telling;
  lock.unlock();
  if (threads_.start([this] { drain(); }).ok()) return;
  lock.lock();
  phase_ = Phase::Idle;  // the next message tries again
}

void PeerListeners::drain() {
  std::unique_lock lock(mutex_);
  while (!items_.empty()) {
    const Item item = std::move(items_.front());
    items_.pop_front();
    bytes_ -= item.message.bytes;
    const std::size_t dropped = items_.empty() ? std::exchange(dropped_, 0) : 0;
    lock.unlock();
    tell(item);
    if (dropped > 0) tell({.message = dropped_note(dropped), .answer = {}});
    lock.lock();
  }
  phase_ = Phase::Idle;
  idle_.notify_all();  // under the lock: whoever waits may destroy this next
}

void PeerListeners::tell(const Item& item) const {
  const Incoming& message = item.message;
  if (message.type == Incoming::Type::Notify) {
    for (const auto& listener : listeners())
      listener->on_notify(message.method, message.value);
    return;
  }
  Result<Json> answer = Error{.code = ErrorCode::NotFound,
                              .message = "nobody answers '" + message.method.substr(0, 64) + "'"};
  for (const auto& listener : listeners()) {
    answer = listener->on_request(message.method, message.value);
    if (answer.ok() || answer.error().code != ErrorCode::NotFound) break;
  }
  item.answer(answer_frame(message.id, answer));
}

}  // namespace goondan::peer
