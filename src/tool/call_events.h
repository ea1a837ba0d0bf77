// What observers hear of one call: a start, then progress and log lines, then exactly one end.
// Everything that leaves a call passes here, so this is where secrets are masked.
#pragma once

#include <mutex>

#include <goondan/executor.h>

#include "base/redactor.h"

namespace goondan {

// The host side of a running call. Thread-safe. After `end` nothing more reaches the observers
// but `late_return`, however long a handler that was left behind goes on talking.
class CallEvents final : public ToolHost {
 public:
  // Borrows both for its life.
  CallEvents(const ToolCall& call, const ExecutorOptions& options);

  // What requests of the handler are bound by; borrowed. To be called before the handler runs.
  void set_context(const ToolContext& context) { context_ = &context; }

  void start();
  // Masks the secrets in `result`, then tells it.
  void end(ToolCallResult& result);
  void late_return();

  void log(LogLevel level, std::string_view text) override;
  void progress(const Progress& progress) override;
  Result<Json> request(std::string_view method, const Json& params) override;

 private:
  enum class Phase { Running, Ended };

  [[nodiscard]] std::string masked(std::string_view text) const;
  [[nodiscard]] const ToolCall& shown() const;
  void mask_call();

  const ToolCall& call_;
  const std::vector<std::shared_ptr<CallObserver>>& observers_;
  CallRuntime* runtime_;                  // null: none
  const ToolContext* context_ = nullptr;  // null: the handler does not run yet
  const Redactor* redactor_;              // null: nothing is masked
  std::optional<ToolCall> shown_;  // what observers see of the call, if something is to be masked
  Clock::time_point started_{};
  // Held while observers are called: that is what keeps progress from overtaking the end.
  std::mutex mutex_;
  Phase phase_ = Phase::Running;
};

}  // namespace goondan
