// The process of one agent instance, from its fork to its exit.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "agent/agent_plan.h"
#include "os/unique_fd.h"
#include "store/database.h"

namespace goondan::agent {

struct AgentStart {
  std::shared_ptr<const AgentPlan> plan;
  std::string instance_key = {};
  std::filesystem::path folder = {};      // of the instance: state.db, workspace/
  std::string cwd = {};                   // in place of workspace/; empty: that
  std::filesystem::path state_root = {};  // of all swarms
  os::UniqueFd socket = {};               // to the orchestrator
  store::CommitHook after_commit = {};
};

// Runs until the orchestrator says `shutdown` or is gone. Returns the exit code: 0 after a
// shutdown. The process must end then: handlers that never return may still use what they were
// given.
int run_agent(AgentStart start);

}  // namespace goondan::agent
