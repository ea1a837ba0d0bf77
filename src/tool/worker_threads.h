// Threads for handlers that may never return. A thread is reused when its job is done; one whose
// job hangs is simply never seen again.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <goondan/result.h>

namespace goondan {

// Thread-safe. The destructor ends the idle threads and does not wait for jobs that still run: a
// job must own everything it touches.
class WorkerThreads {
 public:
  using Job = std::move_only_function<void()>;

  explicit WorkerThreads(std::size_t max_idle);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Runs `job` on an idle thread, or on a new one. Fails with `E_TOOL_BUSY` if the system gives
  // no further thread. `job` must not throw.
  Result<void> start(Job job);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace goondan
