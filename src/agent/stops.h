// What can be stopped while a turn runs, and what was.
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>

namespace goondan::agent {

// `begin_*` and `end_*` on the thread that runs the turn; the rest from any.
class Stops {
 public:
  enum class Order { None, Cancel, Interrupt };

  void begin_turn();
  void end_turn();

  // For model calls of this turn.
  [[nodiscard]] std::stop_token turn_token() const;
  // For the calls of one step; nothing if the turn has been stopped.
  [[nodiscard]] std::optional<std::stop_token> begin_calls();
  void end_calls();
  // Stops the calls of this step, which cannot be recorded.
  void stop_calls();

  // What the turn was told. An interruption stays for good.
  [[nodiscard]] Order order() const;

  void cancel();
  void interrupt();

 private:
  mutable std::mutex mutex_;
  enum class Busy { Idle, Turn, Calls } busy_ = Busy::Idle;
  Order order_ = Order::None;
  std::stop_source turn_;
  std::stop_source calls_;
};

}  // namespace goondan::agent
