#include "agent/zygote_notes.h"

#include "base/json_fields.h"

namespace goondan::agent {
namespace {

// What a note may hold of diagnostics and warnings.
constexpr std::size_t kMaxDiagnosticsBytes = std::size_t{40} << 10;

// As many as fit into a note; errors come first.
JsonArray shown(const std::vector<Diagnostic>& diagnostics) {
  JsonArray list;
  std::size_t bytes = 0;
  for (const Severity severity : {Severity::Error, Severity::Warning}) {
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.severity != severity) continue;
      Json json = diagnostic.to_json();
      bytes += to_text(json).size();
      if (bytes > kMaxDiagnosticsBytes) return list;
      list.push_back(std::move(json));
    }
  }
  return list;
}

}  // namespace

Json loaded_note(const SwarmPlan& plan) {
  JsonArray agents;
  for (const auto& agent : plan.agents)
    agents.push_back(
        JsonObject{{"name", agent->agent.meta.name}, {"fingerprint", agent->fingerprint}});
  return JsonObject{{"kind", "loaded"},
                    {"swarm", plan.name},
                    {"workspace", plan.workspace},
                    {"entryAgent", plan.entry_agent},
                    {"agents", std::move(agents)},
                    {"shutdownGraceMs", plan.shutdown_grace.count()},
                    {"warnings", shown(plan.warnings)}};
}

Json failed_note(const PlanFailure& failure) {
  return JsonObject{{"kind", "failed"},
                    {"error", error_json(failure.error)},
                    {"diagnostics", shown(failure.diagnostics)}};
}

}  // namespace goondan::agent
