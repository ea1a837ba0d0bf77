// Runs turns: one message in, steps until the model calls no more tools, one outcome.
//
// Everything that matters is in the store before the next model call, so that a turn can be taken
// up where a crash left it: calls that had ended keep their results, calls that had begun get
// `E_TOOL_INTERRUPTED` unless their tool is idempotent, calls that had not begun are run.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/catalog.h>
#include <goondan/executor.h>
#include <goondan/json.h>

#include "extension/contexts.h"
#include "extension/turn_message.h"
#include "model/model.h"
#include "store/instance_store.h"

namespace goondan::agent {

// Is told everything that happens, as observations of `docs/protocol.md` without `timestamp`,
// `agentName` and `instanceKey`, which it adds. Thread-safe; never blocks for long.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void observe(JsonObject observation) = 0;
};

inline constexpr std::size_t kDefaultMaxResultBytes = 50'000;

// Of which dialects the code of an agent's tools and extensions is.
enum class CodeDialects { V1Only, Both };

struct TurnSettings {
  std::string agent_name = {};
  std::string instance_key = {};
  std::string workdir = {};
  std::string instance_id = {};  // as the first dialect calls the instance
  CodeDialects dialects = CodeDialects::V1Only;
  std::string system_prompt = {};  // empty: none
  JsonObject model_params = {};
  std::size_t max_steps = 32;
  std::size_t max_result_bytes = kDefaultMaxResultBytes;  // of one result, as the model sees it
  std::chrono::milliseconds model_timeout{600'000};       // for one model call, retries included
};

// What a turn works with; all of it outlives the runner.
struct TurnParts {
  TurnSettings settings;
  store::InstanceStore& store;
  Model& model;
  const ToolRegistry& registry;
  ToolCatalog declared;      // the agent's own tools
  ToolCatalog handle_tools;  // handles__*; those that are of use are offered even if undeclared
  ExecutorOptions executor = {};  // observers are added to it
  EventSink& sink;
  const TurnPipeline* turn_pipeline = nullptr;  // null: none
  const StepPipeline* step_pipeline = nullptr;
  // Before the catalog of a step is made: tools may come and go here. Empty: nothing.
  std::function<Result<void>(const std::stop_token& stop)> before_step = {};
  // What each step tells the model beyond the conversation, before any middleware. Empty: nothing.
  std::function<JsonArray(const TurnMessage& input)> blocks = {};
};

// `run`, `run_injections` and `rest` on one thread; all else from any.
class TurnRunner {
 public:
  explicit TurnRunner(TurnParts parts);
  ~TurnRunner();

  // Begins the turn, or takes it up if the store has begun it, or answers from the store if it is
  // done. A failure of the store or the model is an outcome with an error.
  TurnOutcome run(const TurnMessage& message);

  // A turn whose input are the injections that wait; nothing if none do.
  std::optional<TurnOutcome> run_injections();

  // Gives back what can be read again: there is nothing to do for a while. On the thread that runs
  // turns.
  void rest();

  // Stops the calls that run (each gets `E_TOOL_CANCELLED` and the turn goes on); if none does, the
  // model, and the turn ends with `E_TURN_CANCELLED`. Nothing to stop: no effect.
  void cancel();

  // Stops calls and model; the turn ends as `Interrupted` before its next model call, to be taken
  // up later. For good: turns that come after it end so at once.
  void interrupt();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The span of a call of a turn. Whatever the call asks of other agents has it as its parent.
std::string call_span_id(std::string_view turn_id, std::string_view call_id);

// Answers `handles.read {handle, offset?, length?}` from outputs that were cut for the model:
// `{handle, offset, length, total, nextOffset (null: that was the end), content}`. Numbers count
// code points; the answer as JSON stays within `max_bytes`. `E_HANDLE_NOT_FOUND`.
Result<Json> read_output(const store::InstanceStore& store, const Json& params,
                         std::size_t max_bytes = kDefaultMaxResultBytes);

}  // namespace goondan::agent
