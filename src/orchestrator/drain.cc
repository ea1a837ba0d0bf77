#include "orchestrator/drain.h"

namespace goondan::orchestrator {

Drain::Drain(Loop& loop, Dispatcher& dispatcher, Instances& instances, DrainPlan plan)
    : loop_(loop), dispatcher_(dispatcher), instances_(instances), plan_(plan) {
  dispatcher_.quiesce();
  enter(Phase::Turns, plan_.turns);
}

void Drain::enter(Phase phase, std::chrono::milliseconds time) {
  phase_ = phase;
  deadline_ = Clock::now() + time;
  wake_ = loop_.at(deadline_, [] {});
}

void Drain::hurry(const DrainPlan& plan) {
  plan_ = plan;
  if (phase_ == Phase::Turns) return enter(Phase::Turns, plan.turns);
  if (phase_ == Phase::Ending) enter(Phase::Ending, plan.grace + kExitTime);
}

bool Drain::advance() {
  const bool late = Clock::now() >= deadline_;
  if (phase_ == Phase::Turns && (late || dispatcher_.working_count() == 0)) {
    instances_.stop_spawning();
    instances_.drain_all(plan_.grace, plan_.reason);
    enter(Phase::Ending, plan_.grace + kExitTime);
  } else if (phase_ == Phase::Ending && late) {
    instances_.kill_all();
    enter(Phase::Killing, kKillWait);
  } else if (phase_ == Phase::Killing && late) {
    phase_ = Phase::Done;
  }
  if (phase_ != Phase::Turns && instances_.process_count() == 0) phase_ = Phase::Done;
  return phase_ == Phase::Done;
}

}  // namespace goondan::orchestrator
