// Requests of clients, changed bundles, and restarts of one agent or of everything.
#include "base/json_fields.h"
#include "orchestrator/orchestrator.h"
#include "orchestrator/status.h"
#include "store/layout.h"

namespace goondan::orchestrator {
namespace {

Error stopping() {
  return {.code = ErrorCode::NotRunning,
          .message = "the orchestrator is stopping",
          .suggestion = "Start it again with `gdn run`."};
}

Error unknown_kind(const std::string& kind) {
  return {.code = ErrorCode::Ipc,
          .message = "the orchestrator does not know the request '" + kind.substr(0, 40) + "'",
          .suggestion = "Use the same version of gdn for both."};
}

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

void Orchestrator::on_request(std::uint64_t client, const JsonObject& payload) {
  const std::string kind = text_field(payload, "kind");
  const Asked asked{.client = client, .request_id = text_field(payload, "requestId")};
  if (!dispatcher_) return answer(asked, stopping());
  if (dispatcher_->on_client(client, kind, asked.request_id, payload)) return;
  if (kind == "watch") {
    clients_.set_watching(client);
    answer(asked, Json(JsonObject{}));
  } else if (kind == "status") {
    answer(asked, status_json({.dispatcher = *dispatcher_,
                               .instances = instances_,
                               .swarm = zygotes_.bundle().swarm,
                               .workspace = zygotes_.bundle().workspace,
                               .bundle = arguments_.bundle.string(),
                               .started_at = started_at_}));
  } else if (kind == "restart") {
    const std::string agent = text_field(payload, "agent");
    if (!agent.empty()) return restart_agent(agent, asked, payload);
    const std::string reason = text_field(payload, "reason");
    restart_all(reason.empty() ? "asked for" : reason, asked, payload);
  } else if (kind == "delete") {
    delete_instance(asked, payload);
  } else if (kind == "stop") {
    answer(asked, Json(JsonObject{{"stopping", true}}));
    stop("asked for");
  } else {
    answer(asked, unknown_kind(kind));
  }
}

void Orchestrator::answer(const Asked& asked, const Result<Json>& result) {
  if (asked.client != 0) clients_.reply(asked.client, asked.request_id, result);
}

void Orchestrator::on_zygote_lost(const std::string& how) {
  if (phase_ != Phase::Running) return;
  const std::chrono::milliseconds wait = zygote_backoff_.crashed();
  observe({{"type", "zygote.lost"}, {"how", how}, {"waitMs", wait.count()}});
  zygote_timer_ = loop_.at(Clock::now() + wait, [this] { reload(); });
}

void Orchestrator::reload() {
  zygotes_.load_candidate(
      [this](const LoadFailure* failure) { static_cast<void>(on_reload(failure)); });
}

Result<void> Orchestrator::on_reload(const LoadFailure* failure) {
  if (phase_ != Phase::Running) return stopping();
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
  if (!zygotes_.has_current()) instances_.fail_waiting(failure.error);
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
  if (phase_ == Phase::Stopping) return answer(asked, stopping());
  if (phase_ == Phase::Restarting) return answer(asked, Json(JsonObject{{"restarting", true}}));
  if (phase_ != Phase::Running) return;
  const Fresh fresh = true_field(params, "fresh") ? Fresh::Yes : Fresh::No;
  zygotes_.load_candidate([this, reason, asked, fresh](const LoadFailure* failure) {
    if (failure == nullptr) return begin_restart(reason, asked, fresh);
    answer(asked, failure->error);
    reject(*failure);
  });
}

void Orchestrator::begin_restart(const std::string& reason, const Asked& asked, Fresh fresh) {
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

void Orchestrator::delete_instance(const Asked& asked, const JsonObject& params) {
  const InstanceName name{text_field(params, "agent"), text_field(params, "instanceKey")};
  if (name.agent.empty() || name.key.empty()) {
    return answer(asked, Error{.code = ErrorCode::Usage,
                               .message = "delete needs an agent and an instance key",
                               .suggestion = "List them with `gdn instance list`."});
  }
  instances_.drain(name, kStopGrace, DrainReason::Shutdown, [this, name, asked] {
    instances_.forget(name);
    const Result<void> forgotten = dispatcher_->forget(name);
    if (!forgotten.ok()) return answer(asked, forgotten.error());
    std::error_code failed;
    std::filesystem::remove_all(store::instance_folder(folder_, name.agent, name.key), failed);
    answer(asked, Json(JsonObject{
                      {"deleted", !failed}, {"agent", name.agent}, {"instanceKey", name.key}}));
  });
}

}  // namespace goondan::orchestrator
