#include "oauth/manager/flights.h"

namespace goondan::oauth {
namespace {

constexpr std::chrono::seconds kTimeToLand{3};

}  // namespace

Flights::~Flights() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kTimeToLand, [this] { return under_way_.empty(); });
  for (const auto& [name, flight] : under_way_)
    flight->thread.request_stop();
  changed_.wait(lock, [this] { return under_way_.empty(); });
  lock.unlock();
  landed_.clear();
}

std::shared_ptr<const RefreshOutcome> Flights::join(const RecordName& name, const Work& work,
                                                    const Limit& limit) {
  std::list<std::shared_ptr<Flight>> landed;  // joined after the lock is released
  std::unique_lock lock(mutex_);
  landed.swap(landed_);
  const auto found = under_way_.find(name);
  const std::shared_ptr<Flight> flight =
      found == under_way_.end() ? take_off(name, work) : found->second;
  changed_.wait_until(lock, limit.stop, limit.deadline,
                      [&flight] { return flight->outcome != nullptr; });
  return flight->outcome;
}

// With the mutex held, so that the thread cannot land before it is known.
std::shared_ptr<Flights::Flight> Flights::take_off(const RecordName& name, const Work& work) {
  auto flight = std::make_shared<Flight>();
  // The thread does not hold the flight: it would be the last to let go of itself.
  flight->thread =
      std::jthread([this, name, work](const std::stop_token& stop) { fly(name, work, stop); });
  under_way_[name] = flight;
  return flight;
}

void Flights::fly(const RecordName& name, const Work& work, const std::stop_token& stop) {
  auto outcome = std::make_shared<const RefreshOutcome>(work(stop));
  const std::scoped_lock lock(mutex_);
  auto landing = under_way_.extract(name);
  landing.mapped()->outcome = std::move(outcome);
  landed_.push_back(std::move(landing.mapped()));
  changed_.notify_all();
}

}  // namespace goondan::oauth
