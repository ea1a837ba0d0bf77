// Brings everything to rest: running turns, then processes, each within its time.
#pragma once

#include <chrono>

#include "orchestrator/dispatcher.h"
#include "orchestrator/instances.h"
#include "orchestrator/loop.h"

namespace goondan::orchestrator {

struct DrainPlan {
  std::chrono::milliseconds turns{0};  // for turns that run; nothing new is begun
  std::chrono::milliseconds grace{0};  // what the agents are then told to end within
  DrainReason reason = DrainReason::Shutdown;
};

// What is killed has this long to be gone.
inline constexpr std::chrono::milliseconds kKillWait{500};

// Confined to the loop; borrows all three.
class Drain {
 public:
  Drain(Loop& loop, Dispatcher& dispatcher, Instances& instances, DrainPlan plan);

  // To be called after each round. True once no process is left, or none that can be killed.
  bool advance();
  // Less time than was planned.
  void hurry(const DrainPlan& plan);

 private:
  enum class Phase { Turns, Ending, Killing, Done };
  void enter(Phase phase, std::chrono::milliseconds time);

  Loop& loop_;
  Dispatcher& dispatcher_;
  Instances& instances_;
  DrainPlan plan_;
  Phase phase_ = Phase::Turns;
  Deadline deadline_ = {};
  Loop::Timer wake_ = {};
};

}  // namespace goondan::orchestrator
