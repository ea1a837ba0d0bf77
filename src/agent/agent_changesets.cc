#include "agent/agent_changesets.h"

#include <algorithm>

#include "base/json_fields.h"
#include "v1alpha1/place.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kChangesetTool = "swarmBundle";

}  // namespace

bool may_change_bundle(const AgentPlan& plan) {
  const bool has_tool =
      std::ranges::find(plan.builtin_tools, kChangesetTool) != plan.builtin_tools.end();
  return has_tool || v1alpha1::uses_first_dialect(plan.bundle, plan.agent);
}

AgentChangesets::AgentChangesets(Parts parts)
    : parts_(std::move(parts)),
      changesets_({.bundle_root = parts_.plan.bundle.root(), .worktrees = parts_.worktrees}) {}

bool AgentChangesets::serves(std::string_view method) const {
  return method.starts_with("swarmBundle.");
}

Result<Json> AgentChangesets::request(const CallRuntime::Caller& caller, std::string_view method,
                                      const Json& params) {
  const JsonObject& given = object_or_empty(params);
  if (method == "swarmBundle.openChangeset") return changesets_.open(text_field(given, "reason"));
  if (method == "swarmBundle.commitChangeset") return commit(caller, given);
  return Error{.code = ErrorCode::RuntimeUnavailable,
               .message = "the runtime knows no '" + std::string(method) + "'"};
}

// The commit has happened when the orchestrator is told, which answers when it has read the bundle:
// no turn begins with the old one then. If it cannot, the next start reads the new one anyway.
Result<Json> AgentChangesets::commit(const CallRuntime::Caller& caller, const JsonObject& params) {
  Json result =
      GDN_TRY(changesets_.commit(text_field(params, "changesetId"), text_field(params, "message"),
                                 parts_.plan.changesets, caller.scope.agent_name));
  JsonObject& object = result.get_object();
  if (!object.contains("newRef") || runtime_ == nullptr) return result;
  const Result<Json> told = runtime_->request(caller, "runtime.reload", JsonObject());
  object["active"] = told.ok() ? "after this turn" : "at the next start";
  if (!told.ok()) object["activeProblem"] = told.error().message;
  return result;
}

}  // namespace goondan::agent
