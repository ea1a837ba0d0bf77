// Changes that an agent makes to its own bundle, asked for by its tools.
#pragma once

#include "agent/agent_plan.h"
#include "agent/runtime_service.h"
#include "changeset/changesets.h"

namespace goondan::agent {

// Serves `swarmBundle.openChangeset` and `swarmBundle.commitChangeset`. Thread-safe.
class AgentChangesets final : public RuntimeService {
 public:
  struct Parts {
    const AgentPlan& plan;
    std::filesystem::path worktrees;
  };
  explicit AgentChangesets(Parts parts);

  // Where the files of open changesets lie, for tools to work on.
  [[nodiscard]] const std::filesystem::path& worktrees() const { return parts_.worktrees; }

  // Through which the orchestrator hears of a new commit. Before the first turn.
  void attach(CallRuntime& runtime) { runtime_ = &runtime; }

  [[nodiscard]] bool serves(std::string_view method) const override;
  Result<Json> request(const CallRuntime::Caller& caller, std::string_view method,
                       const Json& params) override;

 private:
  Result<Json> commit(const CallRuntime::Caller& caller, const JsonObject& params);

  Parts parts_;
  changeset::Changesets changesets_;
  CallRuntime* runtime_ = nullptr;
};

// Whether anything of the agent can ask for changesets: code of the first dialect, or the built-in
// tool `swarmBundle`.
bool may_change_bundle(const AgentPlan& plan);

}  // namespace goondan::agent
