// Writes down each call before its handler runs and its result before anybody sees it, and tells
// whoever watches. After a crash the records say which calls must not be run again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <goondan/executor.h>

#include "agent/reporter.h"
#include "agent/spans.h"
#include "agent/stops.h"
#include "store/instance_store.h"

namespace goondan::agent {

// What the calls of one step have in common. Immutable while they run.
struct StepFrame {
  std::string turn_id = {};
  Span span = {};  // of the step
  std::shared_ptr<const CallScope> scope = {};
};

// Starts and ends of calls come on the thread that runs the turn, as everything else here; progress
// and log lines on those of the handlers.
class CallRecorder final : public CallObserver {
 public:
  // Borrowed for its life, but for the runtime.
  struct Parts {
    store::InstanceStore& store;
    const Reporter& reporter;
    SpanLog& spans;
    Stops& stops;
    std::shared_ptr<CallRuntime> runtime;  // null: none
  };

  explicit CallRecorder(Parts parts) : parts_(std::move(parts)) {}

  void begin_step(StepFrame frame);

  // Why something could not be recorded since the step began. From then on its calls are refused:
  // a call that is not on record must not run.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

  // Makes the handle of a pending result known to the orchestrator; it becomes an error result if
  // that refuses it. Done once for a result. If the orchestrator is gone, the turn is interrupted:
  // the result is on record and its handle is opened when the turn is taken up.
  void open_handle(const ToolCall& call, ToolCallResult& result);

  // Whether a handle could not be opened because the orchestrator is gone.
  [[nodiscard]] bool handle_left() const { return handle_left_; }

  // Tells and keeps the result of a call that is not run (again).
  void tell_result(const ToolCall& call, const ToolCallResult& result,
                   std::chrono::nanoseconds duration);

  void on_start(const ToolCall& call) override;
  void on_progress(const ToolCall& call, const Progress& progress) override;
  void on_log(const ToolCall& call, LogLevel level, std::string_view text) override;
  void on_end(const ToolCall& call, const ToolCallResult& result,
              std::chrono::nanoseconds duration) override;

 private:
  [[nodiscard]] std::shared_ptr<const StepFrame> frame() const;
  [[nodiscard]] static Span call_span(const StepFrame& frame, const ToolCall& call);
  void note(const Result<void>& written);

  Parts parts_;
  mutable std::mutex mutex_;
  std::shared_ptr<const StepFrame> frame_ = std::make_shared<const StepFrame>();
  std::optional<Error> failure_;
  bool handle_left_ = false;
  std::map<std::string, std::optional<Error>> opened_;  // pending calls, and why not
};

}  // namespace goondan::agent
