// Changed bundles, and restarts of one agent or of everything.
#include "base/json_fields.h"
#include "orchestrator/orchestrator.h"
#include "store/layout.h"

namespace goondan::orchestrator {
namespace {

// Without any zygote, a bundle that could not be loaded is tried again.
constexpr std::chrono::seconds kReloadWait{5};

LoadFailure moved(const std::string& workspace) {
  return {.error = {.code = ErrorCode::Config,
                    .message = "the swarm's state would move to '" + workspace +
                               "', which is not done while it runs",
                    .suggestion = "Restart it with `gdn restart`."}};
}

JsonArray changed_agents(const LoadedBundle& before, const LoadedBundle& after) {
  JsonArray changed;
  for (const LoadedBundle::Agent& agent : after.agents) {
    if (before.fingerprint(agent.name) != agent.fingerprint) changed.push_back(Json(agent.name));
  }
  for (const LoadedBundle::Agent& agent : before.agents) {
    if (after.fingerprint(agent.name).empty()) changed.push_back(Json(agent.name));
  }
  return changed;
}

}  // namespace

void Orchestrator::on_zygote_lost(const std::string& how) {
  if (phase_ != Phase::Running) return;
  const std::chrono::milliseconds wait = zygote_backoff_.crashed();
  observe({{"type", "zygote.lost"}, {"how", how}, {"waitMs", wait.count()}});
  zygote_timer_ = loop_.at(Clock::now() + wait, [this] { reload(); });
}

void Orchestrator::reload() {
  if (zygotes_.load_waits()) return;
  zygotes_.load_candidate(
      [this](const LoadFailure* failure) { static_cast<void>(on_reload(failure)); });
}

Result<void> Orchestrator::on_reload(const LoadFailure* failure) {
  if (phase_ != Phase::Running) return stopping_error();
  if (failure == nullptr && zygotes_.candidate().workspace == zygotes_.bundle().workspace) {
    apply_candidate();
    return {};
  }
  const LoadFailure problem = failure != nullptr ? *failure : moved(zygotes_.candidate().workspace);
  reject(problem);
  return problem.error;
}

void Orchestrator::reject(const LoadFailure& failure) {
  observe({{"type", "bundle.rejected"},
           {"error", error_json(failure.error)},
           {"diagnostics", failure.diagnostics}});
  if (zygotes_.has_current()) return;
  instances_.fail_waiting(failure.error);
  zygote_timer_ = loop_.at(Clock::now() + kReloadWait, [this] { reload(); });
}

// The candidate is good: agents that are other than before are replaced, each after its turn.
void Orchestrator::apply_candidate() {
  const JsonArray changed = changed_agents(zygotes_.bundle(), zygotes_.candidate());
  zygotes_.take_candidate();
  if (!changed.empty()) observe({{"type", "bundle.changed"}, {"agents", changed}});
  const LoadedBundle& bundle = zygotes_.bundle();
  dispatcher_->set_swarm(swarm_info(bundle));
  for (const InstanceName& name : instances_.outdated(
           [&bundle](const std::string& agent) { return bundle.fingerprint(agent); })) {
    instances_.drain(name, bundle.shutdown_grace, DrainReason::ConfigChange);
  }
  instances_.retry_waiting();
}

void Orchestrator::restart_all(const std::string& reason, const Asked& asked,
                               const JsonObject& params) {
  if (phase_ == Phase::Stopping) return answer(asked, stopping_error());
  const Fresh fresh = true_field(params, "fresh") ? Fresh::Yes : Fresh::No;
  if (phase_ == Phase::Restarting) return begin_restart(reason, asked, fresh);
  if (phase_ != Phase::Running) return;
  zygotes_.load_candidate([this, reason, asked, fresh](const LoadFailure* failure) {
    if (failure == nullptr) return begin_restart(reason, asked, fresh);
    answer(asked, failure->error);
    reject(*failure);
  });
}

void Orchestrator::begin_restart(const std::string& reason, const Asked& asked, Fresh fresh) {
  if (phase_ == Phase::Stopping) return answer(asked, stopping_error());
  answer(asked, Json(JsonObject{{"restarting", true}}));
  if (fresh == Fresh::Yes) fresh_ = Fresh::Yes;
  if (phase_ != Phase::Running) return;
  phase_ = Phase::Restarting;
  reason_ = reason;
  began_ms_ = milliseconds_now();
  observe({{"type", "runtime.restarting"}, {"reason", reason}});
  clients_.tell_owner("restarting", {{"reason", reason}});
  drain_.emplace(loop_, *dispatcher_, instances_,
                 DrainPlan{.turns = zygotes_.bundle().shutdown_grace,
                           .grace = kRestartGrace,
                           .reason = DrainReason::Restart});
}

void Orchestrator::restart_agent(const std::string& agent, const Asked& asked,
                                 const JsonObject& params) {
  if (zygotes_.bundle().fingerprint(agent).empty()) {
    return answer(asked, Error{.code = ErrorCode::AgentNotFound,
                               .message = "there is no agent '" + agent + "' in this swarm",
                               .suggestion = "List them with `gdn ps`."});
  }
  const Fresh fresh = true_field(params, "fresh") ? Fresh::Yes : Fresh::No;
  zygotes_.load_candidate([this, agent, asked, fresh](const LoadFailure* failure) {
    const Result<void> loaded = on_reload(failure);
    if (!loaded.ok()) return answer(asked, loaded.error());
    answer(asked, Json(JsonObject{{"restarting", true},
                                  {"agent", agent},
                                  {"instances", instances_.running(agent).size()}}));
    replace_instances(agent, fresh);
  });
}

void Orchestrator::replace_instances(const std::string& agent, Fresh fresh) {
  std::set<InstanceName> names;
  for (const InstanceName& name : instances_.running(agent))
    names.insert(name);
  for (const store::InstanceRecord& record : dispatcher_->instances()) {
    if (record.agent == agent) names.insert({record.agent, record.instance_key});
  }
  for (const InstanceName& name : names) {
    instances_.drain(name, zygotes_.bundle().shutdown_grace, DrainReason::Restart,
                     [this, name, fresh] {
                       if (fresh == Fresh::Yes) delete_conversation(name);
                     });
  }
}

void Orchestrator::delete_conversation(const InstanceName& instance) {
  const std::filesystem::path folder =
      store::instance_folder(folder_, instance.agent, instance.key);
  std::error_code ignored;
  for (const std::string_view name : {"state.db", "state.db-wal", "state.db-shm"})
    std::filesystem::remove(folder / name, ignored);
}

}  // namespace goondan::orchestrator
