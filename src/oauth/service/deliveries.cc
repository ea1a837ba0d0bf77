#include "oauth/service/deliveries.h"

#include <algorithm>

namespace goondan::oauth {

void Deliveries::add(GrantedEvent event, Deadline now) {
  if (!tell_) return;
  std::string id = event.session_id;
  waiting_.try_emplace(std::move(id), Waiting{.event = std::move(event), .at = now});
}

void Deliveries::deliver_due(Deadline now) {
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    const bool over = one->second.at <= now && attempt(one->second);
    one = over ? waiting_.erase(one) : std::next(one);
  }
}

bool Deliveries::attempt(Waiting& one) {
  if (one.step == Waiting::Step::Tell && tell_(one.event).ok()) one.step = Waiting::Step::Note;
  if (one.step == Waiting::Step::Note && note_(one.event.session_id).ok()) return true;
  one.at = Clock::now() + one.pause;
  one.pause = std::min(one.pause * 2, kLongestDeliveryPause);
  return false;
}

Deadline Deliveries::next() const {
  Deadline next = Deadline::max();
  for (const auto& [id, one] : waiting_)
    next = std::min(next, one.at);
  return next;
}

}  // namespace goondan::oauth
