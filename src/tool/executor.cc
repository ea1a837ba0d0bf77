#include <goondan/executor.h>

#include "tool/call_group.h"
#include "tool/execution.h"

namespace goondan {

struct ToolExecutor::State {
  State(const ToolRegistry& tools, ExecutorOptions opts)
      : registry(tools),
        shared(std::make_shared<ExecutionShared>(std::move(opts))),
        threads(shared->options.max_concurrent) {}

  const ToolRegistry& registry;
  std::shared_ptr<ExecutionShared> shared;
  WorkerThreads threads;

  ToolCallResult run_here(const Admission& admission, const ToolCall& call,
                          const CallOptions& options, CallEvents& events) const;
};

// For handlers that keep the deadline themselves.
ToolCallResult ToolExecutor::State::run_here(const Admission& admission, const ToolCall& call,
                                             const CallOptions& options, CallEvents& events) const {
  const auto limit = effective_timeout(options, shared->options);
  const Deadline deadline = Clock::now() + limit;
  if (options.stop.stop_requested()) return ToolCallResult::failure(call, cancelled_error(call));
  ToolContext context({.scope = options.scope ? *options.scope : *shared->empty_scope,
                       .tool_call_id = call.id,
                       .deadline = deadline,
                       .stop = options.stop,
                       .host = events});
  events.set_context(context);
  ToolCallResult result = execute(admission, call, shared->options, context);
  if (options.stop.stop_requested()) return ToolCallResult::failure(call, cancelled_error(call));
  if (Clock::now() > deadline) return ToolCallResult::failure(call, timeout_error(call, limit));
  return result;
}

ToolExecutor::ToolExecutor(const ToolRegistry& registry, ExecutorOptions options)
    : state_(std::make_shared<State>(registry, std::move(options))) {}

ToolExecutor::~ToolExecutor() = default;

ToolCallResult ToolExecutor::run(const ToolCatalog& catalog, const ToolCall& call,
                                 const CallOptions& options) const {
  const ExecutorOptions& settings = state_->shared->options;
  Result<Admission> admission = admit(catalog, state_->registry, call, settings.registry_bypass);
  if (admission.ok() && admission->tool->thread == HandlerThread::Own) {
    return std::move(run_all(catalog, {&call, 1}, options).front());
  }
  CallEvents events(call, settings);
  events.start();
  ToolCallResult result = admission.ok()
                              ? state_->run_here(*admission, call, options, events)
                              : ToolCallResult::failure(call, std::move(admission).error());
  events.end(result);
  return result;
}

std::vector<ToolCallResult> ToolExecutor::run_all(const ToolCatalog& catalog,
                                                  std::span<const ToolCall> calls,
                                                  const CallOptions& options) const {
  return CallGroup(state_->registry, state_->shared, state_->threads,
                   {.catalog = catalog, .calls = calls, .options = options})
      .run();
}

ExecutorStats ToolExecutor::stats() const {
  const std::lock_guard lock(state_->shared->counts.mutex);
  return state_->shared->counts.stats;
}

}  // namespace goondan
