#include "agent/stops.h"

namespace goondan::agent {

void Stops::begin_turn() {
  const std::lock_guard lock(mutex_);
  busy_ = Busy::Turn;
  if (order_ == Order::Interrupt) return;
  order_ = Order::None;
  turn_ = std::stop_source();
}

void Stops::end_turn() {
  const std::lock_guard lock(mutex_);
  busy_ = Busy::Idle;
}

std::stop_token Stops::turn_token() const {
  const std::lock_guard lock(mutex_);
  return turn_.get_token();
}

std::optional<std::stop_token> Stops::begin_calls() {
  const std::lock_guard lock(mutex_);
  if (order_ != Order::None) return {};
  busy_ = Busy::Calls;
  calls_ = std::stop_source();
  return calls_.get_token();
}

void Stops::end_calls() {
  const std::lock_guard lock(mutex_);
  busy_ = Busy::Turn;
}

// Stopping runs foreign code, so it is done on a copy, without the lock.
void Stops::stop_calls() {
  std::unique_lock lock(mutex_);
  std::stop_source calls = calls_;
  lock.unlock();
  calls.request_stop();
}

Stops::Order Stops::order() const {
  const std::lock_guard lock(mutex_);
  return order_;
}

void Stops::cancel() {
  std::unique_lock lock(mutex_);
  if (busy_ == Busy::Idle) return;
  std::stop_source stopped = busy_ == Busy::Calls ? calls_ : turn_;
  if (busy_ == Busy::Turn && order_ == Order::None) order_ = Order::Cancel;
  lock.unlock();
  stopped.request_stop();
}

void Stops::interrupt() {
  std::unique_lock lock(mutex_);
  order_ = Order::Interrupt;
  std::stop_source turn = turn_;
  std::stop_source calls = calls_;
  lock.unlock();
  calls.request_stop();
  turn.request_stop();
}

}  // namespace goondan::agent
