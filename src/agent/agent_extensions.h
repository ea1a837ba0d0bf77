// The extensions of one agent instance: started, and put in their places.
#pragma once

#include <deque>
#include <memory>
#include <stop_token>
#include <vector>

#include "agent/agent_plan.h"
#include "agent/agent_tools.h"
#include "agent/stored_state.h"
#include "agent/turn_runner.h"
#include "extension/remote_extension.h"
#include "host/mcp/mcp_tools.h"

namespace goondan::agent {

// What a step waits for servers that have something to say of their tools.
inline constexpr std::chrono::seconds kBeforeStepTime{15};

// Registers everything in `start`; its layers then run from any thread. Everything that is given is
// borrowed, but the script host.
class AgentExtensions {
 public:
  struct Parts {
    const AgentPlan& plan;
    const AgentPlaces& places;
    const std::string& instance_key;
    store::InstanceStore& store;
    ToolRegistry& registry;
    EventSink& sink;
    std::shared_ptr<CallRuntime> runtime;
    std::stop_token stop;  // ends a start that is under way
  };

  // Fails with what keeps an extension from registering (`E_EXT_LOAD`, `E_EXT_INIT` ...).
  static Result<std::unique_ptr<AgentExtensions>> start(const Parts& parts);

  [[nodiscard]] const ExtensionLayers& layers() const { return layers_; }
  [[nodiscard]] bool has_servers() const { return !servers_.empty(); }

  // Lets MCP servers say what has changed. Fails if a required one is not there.
  Result<void> before_step(const std::stop_token& stop);

  // Ends the servers. Layers stay: a call that was left behind may still be in one. The processes
  // behind them end with this one.
  void stop() { servers_.clear(); }

 private:
  AgentExtensions() = default;
  Result<void> add(const Parts& parts, const PlannedExtension& planned);
  Result<void> add_code(const Parts& parts, const PlannedExtension& planned, ExtensionSite& site);
  Result<void> add_servers(const Parts& parts, const PlannedExtension& planned,
                           const ExtensionSite& site);

  AgentFacts facts_;
  EventBus events_;
  ExtensionLayers layers_;
  std::deque<std::unique_ptr<StoredState>> states_;
  std::deque<ExtensionSite> sites_;
  std::shared_ptr<RemoteExtensions> scripts_;               // made for the first that needs it
  std::shared_ptr<RemoteExtensions> node_scripts_;          // the same, of the first dialect
  std::vector<std::shared_ptr<RemoteExtensions>> natives_;  // each behind a peer of its own
  std::vector<std::unique_ptr<McpTools>> servers_;
};

}  // namespace goondan::agent
