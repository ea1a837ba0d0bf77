// Which swarm of a bundle runs, and what each of its agents is.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/bundle.h>

#include "agent/agent_plan.h"

namespace goondan::agent {

struct SwarmPlan {
  std::string name = {};
  std::string workspace = {};  // the name of its folder of state
  std::string entry_agent = {};
  std::chrono::milliseconds shutdown_grace = kDefaultShutdownGrace;
  std::vector<std::shared_ptr<const AgentPlan>> agents = {};  // sorted by name
  std::vector<Diagnostic> warnings = {};

  [[nodiscard]] std::shared_ptr<const AgentPlan> find(std::string_view agent) const;  // or null
};

// What keeps a swarm from running.
struct PlanFailure {
  Error error;
  std::vector<Diagnostic> diagnostics = {};  // all that is wrong, warnings included
};

struct PlanReport {
  std::optional<SwarmPlan> plan = {};
  std::optional<PlanFailure> failure = {};  // if there is no plan
};

// Reads the bundle and works out everything that can be without starting anything; all problems of
// all agents are reported. Starts no thread and opens nothing that stays open.
PlanReport plan_swarm(const std::filesystem::path& bundle, std::string_view swarm,
                      const ValueSource::Environment& environment);

}  // namespace goondan::agent
