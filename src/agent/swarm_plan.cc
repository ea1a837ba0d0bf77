#include "agent/swarm_plan.h"

#include <algorithm>

#include <goondan/goondan.h>

#include "base/json_fields.h"
#include "base/redactor.h"
#include "net/http_client.h"
#include "resource/swarm_choice.h"
#include "store/layout.h"

namespace goondan::agent {
namespace {

// The key that the document sets; the resource has the swarm's name in place of none.
std::string own_instance_key(const SwarmResource& swarm) {
  const JsonObject* spec = object_field(object_or_empty(swarm.meta.document), "spec");
  return spec == nullptr ? std::string() : text_field(*spec, "instanceKey");
}

// A problem of an agent is shown where the agent is declared.
Diagnostic at_agent(const AgentResource& agent, const Error& error) {
  return {.code = error.code,
          .message = error.message,
          .suggestion = error.suggestion,
          .position = agent.meta.position,
          .path = agent.meta.position.file};
}

// Its tables are made when it is first used: once here, and not once in each agent.
std::shared_ptr<Redactor> warm_redactor() {
  std::shared_ptr<Redactor> redactor = make_redactor();
  static_cast<void>(redactor->redact("nothing to mask"));
  return redactor;
}

class Planner {
 public:
  Planner(Bundle bundle, const SwarmResource& swarm, const ValueSource::Environment& environment)
      : bundle_(std::move(bundle)),
        swarm_(swarm),
        services_{.bundle_root = bundle_.root(),
                  .environment = environment,
                  .http = std::make_shared<net::HttpClient>(),
                  .redactor = warm_redactor()} {}

  PlanReport run(std::vector<Diagnostic> warnings) {
    SwarmPlan plan{.name = swarm_.meta.name,
                   .workspace = store::workspace_name(swarm_.meta.name, own_instance_key(swarm_),
                                                      bundle_.root()),
                   .entry_agent = swarm_.entry_agent.name,
                   .shutdown_grace = swarm_.shutdown_grace,
                   .warnings = std::move(warnings)};
    for (const ObjectRef& ref : swarm_.agents)
      add(ref, plan);
    if (failure_) {
      std::ranges::copy(plan.warnings, std::back_inserter(failure_->diagnostics));
      return {.failure = std::move(failure_)};
    }
    std::ranges::sort(plan.agents, {}, [](const auto& made) { return made->agent.meta.name; });
    return {.plan = std::move(plan)};
  }

 private:
  void add(const ObjectRef& ref, SwarmPlan& plan) {
    if (plan.find(ref.name) != nullptr) return;
    const AgentResource* agent = bundle_.find_agent(ref.name);
    if (agent == nullptr) return;  // a checked bundle has it
    auto made = make_agent_plan(bundle_, swarm_, *agent, services_);
    if (made.ok()) return plan.agents.push_back(*std::move(made));
    if (!failure_) failure_ = PlanFailure{.error = made.error()};
    failure_->diagnostics.push_back(at_agent(*agent, made.error()));
  }

  Bundle bundle_;
  const SwarmResource& swarm_;
  ModelServices services_;
  std::optional<PlanFailure> failure_;
};

Error invalid_bundle(const std::filesystem::path& path, const std::vector<Diagnostic>& all) {
  const auto errors = std::ranges::count(all, Severity::Error, &Diagnostic::severity);
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  const std::string more =
      errors > 1 ? " (and " + std::to_string(errors - 1) + " more)" : std::string();
  return {.code = first == all.end() ? ErrorCode::Config : first->code,
          .message = "the bundle '" + path.string() + "' is not valid" +
                     (first == all.end() ? "" : ": " + first->message + more),
          .suggestion = "Run `gdn validate` in its folder."};
}

}  // namespace

std::shared_ptr<const AgentPlan> SwarmPlan::find(std::string_view agent) const {
  const auto found = std::ranges::find_if(
      agents, [agent](const auto& plan) { return plan->agent.meta.name == agent; });
  return found == agents.end() ? nullptr : *found;
}

PlanReport plan_swarm(const std::filesystem::path& bundle, std::string_view swarm,
                      const ValueSource::Environment& environment) {
  BundleReport report = Bundle::check(bundle);
  if (!report.ok()) {
    return {.failure = PlanFailure{.error = invalid_bundle(bundle, report.diagnostics),
                                   .diagnostics = std::move(report.diagnostics)}};
  }
  const Result<SwarmResource> chosen = choose_swarm(*report.bundle, swarm);
  if (!chosen.ok()) {
    return {.failure =
                PlanFailure{.error = chosen.error(), .diagnostics = std::move(report.diagnostics)}};
  }
  return Planner(*report.bundle, *chosen, environment).run(std::move(report.diagnostics));
}

}  // namespace goondan::agent
