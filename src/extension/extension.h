// What an extension adds to an agent, whatever it is written in.
//
// Extensions that ship with goondan are functions `register(ExtensionSite&, config)` that use this
// header directly. Extensions of a bundle, native or JavaScript, live behind a `Peer`;
// `remote_extension.h` makes layers and tools of what they register.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <goondan/executor.h>
#include <goondan/registry.h>

#include "extension/contexts.h"
#include "extension/event_bus.h"

namespace goondan {

// What one extension keeps for its instance. Thread-safe. On disk when `set` returns.
class ExtensionState {
 public:
  virtual ~ExtensionState() = default;
  [[nodiscard]] virtual Json get() const = 0;  // null if nothing was ever kept
  // `E_LIMIT` if it is larger than `kMaxExtensionState`; a failure of the store.
  virtual Result<void> set(Json state) = 0;
};

inline constexpr std::size_t kMaxExtensionState = std::size_t{1} << 20;  // bytes of JSON

// Who the agent is; the same for the life of the process.
struct AgentFacts {
  std::string agent_name = {};
  std::string instance_key = {};
  std::string workdir = {};
  std::string bundle_root = {};
  std::string system_prompt = {};
  std::string swarm_name = {};
  std::string entry_agent = {};
  std::vector<std::string> available_agents = {};  // sorted, with the agent itself
};

// The layers of all extensions of an agent. Filled before its first turn, then only run.
struct ExtensionLayers {
  TurnPipeline turn = {};
  StepPipeline step = {};
  ToolCallPipeline tool_call = {};
};

// Where one extension puts what it adds. Everything in it outlives the extension's layers and
// tools, which may keep a reference.
struct ExtensionSite {
  std::string name;  // of the extension
  const AgentFacts& agent;
  ExtensionLayers& layers;  // only while `register` runs
  ToolRegistry& registry;   // at any time; use `source()`, and names `<something>__<export>`
  ExtensionState& state;
  EventBus& events;
  std::function<void(LogLevel, std::string_view)> log;  // thread-safe
  std::shared_ptr<CallRuntime> runtime;  // other agents, for layers; null where none run

  [[nodiscard]] ToolSource source() const {
    return {.type = ToolSourceType::Extension, .name = name};
  }
};

// An extension that is part of this program. A failure stops the agent (`E_EXT_INIT`).
using RegisterExtension = Result<void> (*)(ExtensionSite& site, const JsonObject& config);

// The one with this name; null if there is none. See `resource/builtin_names.h`.
RegisterExtension find_builtin_extension(std::string_view name);

}  // namespace goondan
