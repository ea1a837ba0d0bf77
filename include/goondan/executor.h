// The one way to run a tool. The command line, agents, the MCP server and embedders all use it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/catalog.h>
#include <goondan/pipeline.h>
#include <goondan/registry.h>
#include <goondan/tool.h>

namespace goondan {

// What a middleware sees of a call. `call` is read only; `tool` is what the handler gets, with the
// deadline and the stop token that a layer must keep too; `args` is what the handler will get.
struct ToolCallContext {
  const ToolCall& call;
  const ToolContext& tool;
  JsonObject args;
  JsonObject metadata = {};
};

using ToolCallPipeline = Pipeline<ToolCallContext, ToolCallResult>;

// Is told about every call. Called on whatever thread runs the call, perhaps several at once.
// Each call has exactly one start and one end; nothing of it follows its end but `on_late_return`.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  virtual void on_start(const ToolCall&) {}
  virtual void on_progress(const ToolCall&, const Progress&) {}
  virtual void on_log(const ToolCall&, LogLevel, std::string_view) {}
  virtual void on_end(const ToolCall&, const ToolCallResult&, std::chrono::nanoseconds) {}
  // A handler that had been left behind came back after all. Its outcome was dropped.
  virtual void on_late_return(const ToolCall&) {}
};

// What lies beyond one call: other agents, pending results, the runtime itself. Handlers reach it
// with `ToolContext::request`; agents implement it. Thread-safe.
class CallRuntime {
 public:
  struct Caller {
    const ToolCall& call;
    const CallScope& scope;
    Deadline deadline;
    const std::stop_token& stop;
  };

  virtual ~CallRuntime() = default;
  // The answer to `method`, e.g. `agents.request`; not later than the deadline or the stop.
  virtual Result<Json> request(const Caller& caller, std::string_view method,
                               const Json& params) = 0;
};

class Redactor;  // see `make_redactor` in goondan.h

enum class RegistryBypass { Refuse, Allow };

struct ExecutorOptions {
  std::chrono::milliseconds timeout{60'000};    // for each call
  std::chrono::milliseconds cancel_grace{250};  // for a handler to return once it is told to stop
  std::size_t max_concurrent = 8;               // calls of one `run_all` at a time
  std::size_t max_abandoned = 64;               // handlers left behind before calls are refused
  RegistryBypass registry_bypass = RegistryBypass::Refuse;
  std::shared_ptr<const ToolCallPipeline> pipeline = {};  // null: no middleware
  std::vector<std::shared_ptr<CallObserver>> observers = {};
  std::shared_ptr<CallRuntime> runtime = {};  // null: requests end with `E_RUNTIME_UNAVAILABLE`
  // Masks secrets in every result and in all that observers hear. Null: nothing is masked.
  std::shared_ptr<const Redactor> redactor = {};
};

// What one `run` or `run_all` gives to its calls.
struct CallOptions {
  std::shared_ptr<const CallScope> scope = {};  // null: an empty one
  std::stop_token stop = {};                    // cancels the calls
  std::chrono::milliseconds timeout{0};         // 0: the executor's
};

struct ExecutorStats {
  std::size_t running = 0;    // handlers at work, those left behind included
  std::size_t abandoned = 0;  // of these, handlers whose call has been answered without them
  std::size_t late_returns = 0;
};

// Thread-safe. Borrows the registry for its life. Never throws, and gives exactly one result for
// each call, in the order of the calls, whatever a handler does: throw anything, return late, or
// never return. Destroying it does not wait for handlers that were left behind.
class ToolExecutor {
 public:
  explicit ToolExecutor(const ToolRegistry& registry, ExecutorOptions options = {});
  ~ToolExecutor();
  ToolExecutor(const ToolExecutor&) = delete;
  ToolExecutor& operator=(const ToolExecutor&) = delete;

  // Checks in this order: in the catalog, arguments, handler known; then runs the middleware and
  // the handler.
  ToolCallResult run(const ToolCatalog& catalog, const ToolCall& call,
                     const CallOptions& options = {}) const;

  // All calls of one model response, concurrently.
  std::vector<ToolCallResult> run_all(const ToolCatalog& catalog, std::span<const ToolCall> calls,
                                      const CallOptions& options = {}) const;

  [[nodiscard]] ExecutorStats stats() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace goondan
