// Write an extension in C++: middleware around turns, steps and calls, tools at run time, state.
//
//   #include <goondan/extension.h>
//
//   goondan::Result<void> setup(goondan::ExtensionApi& api, const goondan::JsonObject& config) {
//     api.on_tool_call([&api](goondan::ToolCallLayer& call) -> goondan::Result<goondan::Json> {
//       api.log(goondan::LogLevel::Info, "calling " + call.tool_name());
//       return call.next();
//     });
//     return {};
//   }
//
//   GDN_EXTENSION(setup)
//
// A bundle names it as `kind: Extension` with `spec.entry` (`.so`, or `.cc` that is built when
// needed), an agent lists it under `extensions`. The first extension of the list is outermost. The
// code runs in a process of its own, or in the agent's (`isolation: inProcess`), several layers at
// once in both cases. What it throws becomes an error result; a failing `setup` stops the agent.
//
// Link what `goondan/plugin.h` names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/plugin.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan {

// What middleware of every kind has. Borrowed for the run of the layer; one thread at a time.
class Layer {
 public:
  virtual ~Layer() = default;

  // `agentName`, `instanceKey`, `turnId`, `traceId` and what the kind of layer adds, but for what
  // has a function of its own below; see `docs/extensions.md`.
  [[nodiscard]] virtual const JsonObject& context() const = 0;
  // Shared with the layers inside and outside.
  [[nodiscard]] virtual JsonObject& metadata() = 0;

  // Runs everything inside this layer, once, and gives its outcome. A second call runs nothing:
  // it is answered with `E_MIDDLEWARE_NEXT_TWICE`. A layer that returns `null` without having
  // called it has forgotten something; one that returns an outcome answers in its place.
  virtual Result<Json> next() = 0;

  // Cancelled when the turn or the call is.
  [[nodiscard]] virtual const std::stop_token& stop() const = 0;

  // Asks the runtime for something, e.g. `agents.request`; see `ToolContext::request`.
  virtual Result<Json> request(std::string_view method, const Json& params) = 0;
};

// Around one call. The outcome: `{toolCallId, toolName, status, output | error | handle}`.
class ToolCallLayer : public Layer {
 public:
  [[nodiscard]] virtual const std::string& tool_name() const = 0;
  [[nodiscard]] virtual const std::string& tool_call_id() const = 0;
  [[nodiscard]] virtual JsonObject& args() = 0;  // what the handler will get
};

// Reads and changes the conversation. A message: `{id, data, metadata, createdAt, source}`. What
// `next()` adds to it is not in `messages()`; what the layer itself changes is, at once.
class ConversationLayer : public Layer {
 public:
  [[nodiscard]] virtual const JsonArray& messages() const = 0;
  virtual Result<void> append(Json message) = 0;
  virtual Result<void> replace(std::string_view id, Json message) = 0;
  virtual Result<void> remove(std::string_view id) = 0;
  virtual Result<void> truncate() = 0;
};

// Around one step. The outcome: `{status, shouldContinue, toolCalls, toolResults}`.
class StepLayer : public ConversationLayer {
 public:
  // What the model will be shown and may call: `[{name, description?, parameters?, source}]`. An
  // item that keeps its `registeredName` may be given another `name`.
  [[nodiscard]] virtual JsonArray& tool_catalog() = 0;
};

// Around one turn. The outcome: `{turnId, responseMessage?, finishReason, error?}`.
class TurnLayer : public ConversationLayer {};

// The runtime, as an extension sees it. Lives until the process ends; thread-safe, but for the
// functions that begin with `on_`, which are for the setup only (but `on_event`).
class ExtensionApi {
 public:
  virtual ~ExtensionApi() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  // `{name, instanceKey, workdir, bundleRoot, swarm {...}}`
  [[nodiscard]] virtual const JsonObject& agent() const = 0;

  using OnToolCall = std::function<Result<Json>(ToolCallLayer&)>;
  using OnStep = std::function<Result<Json>(StepLayer&)>;
  using OnTurn = std::function<Result<Json>(TurnLayer&)>;
  // A lower priority is further outside; equal ones keep their order.
  virtual void on_tool_call(OnToolCall layer, int priority = 0) = 0;
  virtual void on_step(OnStep layer, int priority = 0) = 0;
  virtual void on_turn(OnTurn layer, int priority = 0) = 0;

  // `{name, description?, parameters?}`; the name is `<something>__<export>`. In the catalog from
  // the next step on. One's own tool of the same name is replaced.
  virtual Result<void> register_tool(const Json& item, plugin::Handler handler) = 0;

  // What this extension keeps for this instance; null at first. On disk when `set_state` returns.
  [[nodiscard]] virtual Json state() const = 0;
  virtual Result<void> set_state(Json state) = 0;

  // Between the extensions of the agent.
  virtual void emit(std::string_view event, const Json& payload) = 0;
  virtual void on_event(std::string event, std::function<void(const Json& payload)> listener) = 0;

  virtual void log(LogLevel level, std::string_view text) = 0;
};

namespace plugin {

using Setup = std::function<Result<void>(ExtensionApi&, const JsonObject& config)>;

// What `gdn_plugin_entry` returns for an extension. Lives for ever.
const gdn_plugin* make_extension(Setup setup) noexcept;

}  // namespace plugin
}  // namespace goondan

// Defines the one function that a plugin exports. Use it once, outside of any namespace.
#define GDN_EXTENSION(setup)                                                          \
  extern "C" GDN_PLUGIN_EXPORT const gdn_plugin* gdn_plugin_entry(void) {             \
    static const gdn_plugin* const plugin = ::goondan::plugin::make_extension(setup); \
    return plugin;                                                                    \
  }
