// The tools of one agent instance: loaded, and bound to where it may work.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/executor.h>
#include <goondan/registry.h>

#include "agent/agent_plan.h"
#include "builtin/workspaces.h"
#include "host/peer/peer.h"

namespace goondan::agent {

// The folders of an instance.
struct AgentPlaces {
  std::string workdir = {};            // where its tools work
  std::string state_root = {};         // of all swarms; not written to by tools, but for `workdir`
  std::shared_ptr<Peer> scripts = {};  // where JavaScript and TypeScript run
  // The same for code of the first dialect, and what it is told of its agent; null without any.
  std::shared_ptr<Peer> node_scripts = {};
  Json place = nullptr;
  std::string worktrees = {};  // where open changesets lie; empty: the agent has none
};

// `<folder>/workspace`, made if need be and open to its owner only; or `cwd`, which must be a
// folder. Without links.
Result<std::string> open_workdir(const std::filesystem::path& folder, const std::string& cwd);

// The tools that the agent declares, and `handles`. Fails with what keeps one from loading; `stop`
// ends a build that is under way.
Result<std::unique_ptr<ToolRegistry>> load_tools(const AgentPlan& plan, const AgentPlaces& places,
                                                 const std::stop_token& stop);

// What the agent may reach on disk, as its file tools see it.
std::shared_ptr<builtin::Workspaces> workspaces_of(const AgentPlan& plan,
                                                   const AgentPlaces& places);

// Limits and masking as the policy says.
ExecutorOptions executor_options(const AgentPlan& plan, std::shared_ptr<CallRuntime> runtime);

}  // namespace goondan::agent
