#include "orchestrator/timers.h"

namespace goondan::orchestrator {

Timers::Id Timers::add(Deadline due, Timer timer) {
  const Id id{due, ++last_};
  timers_.emplace(id, std::move(timer));
  return id;
}

void Timers::cancel(std::optional<Id>& id) {
  if (id) timers_.erase(*id);
  id.reset();
}

std::optional<Deadline> Timers::next() const {
  if (timers_.empty()) return {};
  return timers_.begin()->first.first;
}

std::vector<Timer> Timers::take_due(Deadline now) {
  std::vector<Timer> due;
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    due.push_back(std::move(timers_.begin()->second));
    timers_.erase(timers_.begin());
  }
  return due;
}

}  // namespace goondan::orchestrator
