// The process of one agent instance, from its fork to its exit.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <goondan/bundle.h>

#include "os/unique_fd.h"
#include "store/database.h"

namespace goondan::agent {

struct AgentStart {
  Bundle bundle;
  std::string swarm = {};
  std::string agent = {};
  std::string instance_key = {};
  std::filesystem::path folder = {};  // of the instance: state.db, workspace/
  std::string cwd = {};               // in place of workspace/; empty: that
  os::UniqueFd socket = {};           // to the orchestrator
  store::CommitHook after_commit = {};
};

// Runs until the orchestrator says `shutdown` or is gone. Returns the exit code: 0 after a
// shutdown.
int run_agent(AgentStart start);

}  // namespace goondan::agent
