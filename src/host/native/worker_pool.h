// The worker processes of one plugin.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "host/native/plugin_worker.h"

namespace goondan {

// More than this many workers are not kept waiting for work.
inline constexpr std::size_t kMaxIdleWorkers = 4;

// Thread-safe. Each call has a worker to itself, so a crash or a time-out disturbs nobody else: an
// idle one if there is one, the latest used first, else a new one. Destroying the pool (not while
// calls run) ends all workers with everything they started.
class WorkerPool {
 public:
  explicit WorkerPool(WorkerOptions options) : options_(std::move(options)) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Starts the first worker; what its plugin says of itself. Fails as `PluginWorker::start` does.
  Result<Hello> start(std::stop_token stop = {});

  // As `PluginWorker::call`; also fails in the ways of `PluginWorker::start`.
  Result<Json> call(const WorkerCall& call);

  [[nodiscard]] std::size_t idle_count() const;

 private:
  using WorkerPtr = std::unique_ptr<PluginWorker>;

  WorkerPtr take_idle();
  Result<WorkerPtr> take(const WorkerCall& call);
  void give_back(WorkerPtr worker);

  WorkerOptions options_;
  mutable std::mutex mutex_;
  std::vector<WorkerPtr> idle_;
};

}  // namespace goondan
