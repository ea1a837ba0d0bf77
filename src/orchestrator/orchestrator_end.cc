// How a run of the orchestrator ends: for good, or to be replaced.
#include <algorithm>

#include "orchestrator/adopted_process.h"
#include "orchestrator/control_socket.h"
#include "orchestrator/orchestrator.h"

namespace goondan::orchestrator {

void Orchestrator::stop(const std::string& reason) {
  if (phase_ == Phase::Stopping || phase_ == Phase::Over) return;
  reason_ = reason;
  if (!dispatcher_) return finish_stop();
  const std::chrono::milliseconds grace = zygotes_.bundle().shutdown_grace;
  const DrainPlan plan{.turns = std::min(kStopTurns, grace),
                       .grace = std::min(kStopGrace, grace),
                       .reason = DrainReason::Shutdown};
  if (drain_) {
    drain_->hurry(plan);
  } else {
    drain_.emplace(loop_, *dispatcher_, instances_, plan);
  }
  phase_ = Phase::Stopping;
  watcher_.reset();
}

void Orchestrator::finish() {
  watcher_.reset();
  zygote_timer_.cancel();
  zygotes_.end();
  sweep_orphans(instances_.pids());
  if (phase_ == Phase::Restarting) return finish_restart();
  finish_stop();
}

void Orchestrator::finish_stop() {
  zygotes_.end();
  if (observations_) {
    observe({{"type", "runtime.stopped"}, {"reason", reason_}});
    observations_->flush();
  }
  drain_.reset();
  dispatcher_.reset();
  journal_.reset();
  clients_.tell_owner("stopped", {{"reason", reason_}});
  clients_.flush(Clock::now() + kFlushTime);
  if (lock_ || before_.lock) remove_socket(folder_);
  lock_.reset();
  phase_ = Phase::Over;
}

void Orchestrator::finish_restart() {
  if (fresh_ == Fresh::Yes) {
    for (const store::InstanceRecord& record : dispatcher_->instances())
      delete_conversation({record.agent, record.instance_key});
  }
  observations_->flush();
  drain_.reset();
  dispatcher_.reset();
  journal_.reset();
  clients_.flush(Clock::now() + kFlushTime);
  Handover next{.lock = lock_->release(),
                .listener = clients_.take_listener(),
                .owner = clients_.take_owner(),
                .reason = reason_,
                .began_ms = began_ms_,
                .soft_open_files = before_.soft_open_files};
  ended_.next = std::move(next);
  phase_ = Phase::Over;
}

}  // namespace goondan::orchestrator
