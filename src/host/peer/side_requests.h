// Requests of one call that are answered beside each other, so that what the other side asked for
// at the same time (`Promise.all`) also runs at the same time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "tool/worker_threads.h"

namespace goondan::peer {

// Of one call, beside the one on the caller's own thread.
inline constexpr std::size_t kMaxSideRequests = 15;

// Confined to the caller of the call. The destructor waits for all jobs: they keep the deadline and
// the stop of the call.
class SideRequests {
 public:
  // `threads` must outlive it.
  explicit SideRequests(WorkerThreads& threads) : threads_(threads) {}
  ~SideRequests();
  SideRequests(const SideRequests&) = delete;
  SideRequests& operator=(const SideRequests&) = delete;

  // Runs `job` on a thread of its own, or here if there are too many. It must not throw.
  void run(const std::function<void()>& job);

 private:
  WorkerThreads& threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t running_ = 0;
};

}  // namespace goondan::peer
