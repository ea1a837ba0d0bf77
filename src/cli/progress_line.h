// One line on the terminal that says what a long call is doing.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <goondan/executor.h>

namespace goondan::cli {

// Appears on standard error once a call has run for more than a second, is redrawn as it goes on,
// and is wiped when the call ends. Log lines of the tool are printed above it. Thread-safe.
class ProgressLine final : public CallObserver {
 public:
  enum class Show { LogOnly, LogAndLine };

  explicit ProgressLine(Show show);
  ~ProgressLine() override;

  void on_start(const ToolCall& call) override;
  void on_progress(const ToolCall& call, const Progress& progress) override;
  void on_log(const ToolCall& call, LogLevel level, std::string_view text) override;
  void on_end(const ToolCall& call, const ToolCallResult& result,
              std::chrono::nanoseconds elapsed) override;

  // Shows `what` like a call, e.g. while a tool is being built.
  void begin(std::string what);
  void end();

 private:
  void keep_drawing(const std::stop_token& stop);
  void draw();
  void wipe();

  const Show show_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;
  Progress progress_;
  Clock::time_point started_{};
  enum class Line { None, Drawn } line_ = Line::None;
  std::jthread drawer_;
};

}  // namespace goondan::cli
