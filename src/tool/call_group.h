// The calls of one model response, each on a thread of its own, watched over by the caller's.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <goondan/executor.h>

#include "tool/admission.h"
#include "tool/call_events.h"
#include "tool/worker_threads.h"

namespace goondan {

// Counters of handlers; shared with the threads, so that a late return is still counted.
struct HandlerCounts {
  std::mutex mutex;
  ExecutorStats stats;
};

// Everything an executor's calls share, and that a handler left behind may still touch.
struct ExecutionShared {
  explicit ExecutionShared(ExecutorOptions given) : options(std::move(given)) {}

  const ExecutorOptions options;
  HandlerCounts counts;
  std::shared_ptr<const CallScope> empty_scope = std::make_shared<const CallScope>();
};

// What one `run_all` is about.
struct GroupRequest {
  const ToolCatalog& catalog;
  std::span<const ToolCall> calls;
  const CallOptions& options;
};

// Confined to the thread that called `run_all`.
class CallGroup {
 public:
  CallGroup(const ToolRegistry& registry, std::shared_ptr<ExecutionShared> shared,
            WorkerThreads& threads, const GroupRequest& request);

  // Runs all calls and returns their results in order.
  std::vector<ToolCallResult> run();

 private:
  struct Flight;  // one call on its thread, shared with it
  struct Tower;   // where flights report that they are done

  void start_more();
  void start(std::size_t index);
  Result<void> take_off(const std::shared_ptr<Flight>& flight);
  Result<void> count_in();
  void count_out();
  void wait();
  void collect();
  [[nodiscard]] bool close_if_over(Flight& flight);
  void tell_to_stop(Flight& flight);
  void answer(Flight& flight, ToolCallResult result);
  [[nodiscard]] ToolCallResult final_result(Flight& flight) const;
  [[nodiscard]] bool stopping() const { return request_.options.stop.stop_requested(); }

  const ToolRegistry& registry_;
  std::shared_ptr<ExecutionShared> shared_;
  WorkerThreads& threads_;
  GroupRequest request_;
  std::chrono::milliseconds timeout_;
  std::shared_ptr<Tower> tower_;
  std::vector<std::shared_ptr<Flight>> flying_;
  std::vector<ToolCallResult> results_;
  std::size_t next_ = 0;
  std::size_t landings_seen_ = 0;
};

}  // namespace goondan
