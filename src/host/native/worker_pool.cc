#include "host/native/worker_pool.h"

namespace goondan {
namespace {

Error too_late(const Error& start_error) {
  return {.code = ErrorCode::ToolTimeout,
          .message = start_error.message,
          .suggestion = "Allow the call more time."};
}

}  // namespace

Result<Hello> WorkerPool::start(std::stop_token stop) {
  WorkerPtr worker =
      GDN_TRY(PluginWorker::start(options_, Clock::now() + kWorkerStartTime, std::move(stop)));
  Hello hello = worker->hello();
  give_back(std::move(worker));
  return hello;
}

Result<Json> WorkerPool::call(const WorkerCall& call) {
  WorkerPtr worker = GDN_TRY(take(call));
  Result<Json> result = worker->call(call);
  give_back(std::move(worker));
  return result;
}

std::size_t WorkerPool::idle_count() const {
  const std::scoped_lock lock(mutex_);
  return idle_.size();
}

WorkerPool::WorkerPtr WorkerPool::take_idle() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return nullptr;
  WorkerPtr worker = std::move(idle_.back());
  idle_.pop_back();
  return worker;
}

Result<WorkerPool::WorkerPtr> WorkerPool::take(const WorkerCall& call) {
  // One that died while it had nothing to do is passed over.
  while (WorkerPtr worker = take_idle()) {
    if (worker->usable()) return worker;
  }
  const Deadline start_end = std::min(call.deadline, Clock::now() + kWorkerStartTime);
  Result<WorkerPtr> worker = PluginWorker::start(options_, start_end, call.stop);
  if (!worker.ok() && call.deadline <= Clock::now()) return too_late(worker.error());
  return worker;
}

void WorkerPool::give_back(WorkerPtr worker) {
  if (!worker->usable()) return;
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kMaxIdleWorkers) idle_.push_back(std::move(worker));
  // Else `worker` ends with its last owner, when the lock is open again.
}

}  // namespace goondan
