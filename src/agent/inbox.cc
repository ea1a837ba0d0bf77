#include "agent/inbox.h"

#include <utility>

namespace goondan::agent {

void Inbox::put(Delivery delivery) {
  const std::lock_guard lock(mutex_);
  deliveries_.push_back(std::move(delivery));
  wake_.notify_one();
}

void Inbox::note_injections() {
  const std::lock_guard lock(mutex_);
  injections_ = true;
  wake_.notify_one();
}

void Inbox::note_injection(std::string id) {
  {
    const std::lock_guard lock(mutex_);
    injected_.push_back(std::move(id));
  }
  note_injections();
}

std::vector<std::string> Inbox::take_injected() {
  const std::lock_guard lock(mutex_);
  return std::exchange(injected_, {});
}

void Inbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  wake_.notify_one();
}

bool Inbox::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

Inbox::Next Inbox::take(Deadline until) {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return closed_ || injections_ || !deliveries_.empty(); };
  if (until == Deadline::max()) {
    wake_.wait(lock, something);
  } else if (!wake_.wait_until(lock, until, something)) {
    return Quiet{};
  }
  if (closed_) return Closed{};
  if (deliveries_.empty()) {
    injections_ = false;
    return Injections{};
  }
  Delivery next = std::move(deliveries_.front());
  deliveries_.pop_front();
  return next;
}

}  // namespace goondan::agent
