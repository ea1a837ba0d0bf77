// What a handler may use while it works on one call, and nothing else.
//
// The same class is given to built-in tools, to tools an embedder registers, and to plugins on the
// far side of a process border, so a handler can move between them unchanged.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

enum class LogLevel : int { Debug = 0, Info = 1, Warn = 2, Error = 3 };

// How far a call has come. `total` 0 means that the end is not known.
struct Progress {
  double done = 0;
  double total = 0;
  std::string text = {};
};

// What all calls of one step have in common. Built once a step by whoever runs it.
struct CallScope {
  std::string agent_name = {};
  std::string instance_key = {};
  std::string turn_id = {};
  std::string trace_id = {};
  std::string workdir = {};  // the instance's workspace: base of every relative path
  Json message = nullptr;    // the assistant message that holds the calls
  // Where the turn came from, and on whose behalf it acts: objects, or null if that is not known.
  Json origin = nullptr;
  Json auth = nullptr;
  // Only where code of the first dialect runs: `{turn, step, toolCatalog}` as it knows them.
  Json surroundings = nullptr;
};

// The runtime's side of a context. Implemented by the executor and by the plugin trampoline;
// every function may be called from any thread while the call runs.
class ToolHost {
 public:
  virtual ~ToolHost() = default;
  virtual void log(LogLevel level, std::string_view text) = 0;
  virtual void progress(const Progress& progress) = 0;
  // Asks the runtime for something beyond this call, e.g. `agents.request`. Where no agents run
  // the answer is the error `E_RUNTIME_UNAVAILABLE`.
  virtual Result<Json> request(std::string_view method, const Json& params) = 0;
};

// Borrowed by the handler for the length of the call; thread-safe.
class ToolContext {
 public:
  struct Parts {
    const CallScope& scope;
    std::string_view tool_call_id;
    Deadline deadline;
    std::stop_token stop;
    ToolHost& host;
  };

  explicit ToolContext(Parts parts) : parts_(std::move(parts)) {}
  ToolContext(const ToolContext&) = delete;
  ToolContext& operator=(const ToolContext&) = delete;

  [[nodiscard]] const CallScope& scope() const { return parts_.scope; }
  [[nodiscard]] const std::string& agent_name() const { return parts_.scope.agent_name; }
  [[nodiscard]] const std::string& instance_key() const { return parts_.scope.instance_key; }
  [[nodiscard]] const std::string& turn_id() const { return parts_.scope.turn_id; }
  [[nodiscard]] const std::string& trace_id() const { return parts_.scope.trace_id; }
  [[nodiscard]] const std::string& workdir() const { return parts_.scope.workdir; }
  [[nodiscard]] const Json& message() const { return parts_.scope.message; }
  [[nodiscard]] std::string_view tool_call_id() const { return parts_.tool_call_id; }

  // A handler that works for long looks at `cancelled()` or gives `stop()` and `deadline()` to
  // whatever it waits for. After either, the call's result is an error whatever it returns.
  [[nodiscard]] Deadline deadline() const { return parts_.deadline; }
  [[nodiscard]] const std::stop_token& stop() const { return parts_.stop; }
  [[nodiscard]] bool cancelled() const { return parts_.stop.stop_requested(); }

  // Waits, but not past a cancellation or the deadline. Returns whether the whole time passed.
  bool sleep_for(std::chrono::milliseconds duration) const {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    const Deadline end = std::min(Clock::now() + duration, parts_.deadline);
    wake.wait_until(lock, parts_.stop, end, [] { return false; });
    return !cancelled() && Clock::now() < parts_.deadline;
  }

  void log(LogLevel level, std::string_view text) const { parts_.host.log(level, text); }

  void progress(double done, double total, std::string text = {}) const {
    parts_.host.progress({.done = done, .total = total, .text = std::move(text)});
  }

  Result<Json> request(std::string_view method, const Json& params) const {
    return parts_.host.request(method, params);
  }

 private:
  Parts parts_;
};

}  // namespace goondan
