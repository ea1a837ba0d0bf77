#include "orchestrator/orchestrator.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <signal.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/adopted_process.h"
#include "orchestrator/control_socket.h"
#include "orchestrator/status.h"
#include "store/layout.h"

namespace goondan::orchestrator {
namespace {

constexpr int kUsageExit = 2;
constexpr int kConfigExit = 3;

int exit_code_of(const Error& error) {
  if (error.code == ErrorCode::Usage) return kUsageExit;
  return error.code_text().starts_with("E_CONFIG") ? kConfigExit : 1;
}

// What the orchestrator itself tells, an agent cannot.
bool may_observe(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  constexpr std::array<std::string_view, 9> kOwn{"runtime.",         "agent.",           "bundle.",
                                                 "zygote.",          "delegate.",        "handle.",
                                                 "message.accepted", "message.finished", "gap"};
  return !type.empty() && std::ranges::none_of(kOwn, [&type](std::string_view own) {
    return type.starts_with(own);
  });
}

JsonArray names_of(const LoadedBundle& bundle) {
  JsonArray names;
  for (const LoadedBundle::Agent& agent : bundle.agents)
    names.push_back(Json(agent.name));
  return names;
}

}  // namespace

std::int64_t milliseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

SwarmInfo swarm_info(const LoadedBundle& bundle) {
  SwarmInfo info{.name = bundle.swarm, .entry_agent = bundle.entry_agent};
  for (const LoadedBundle::Agent& agent : bundle.agents)
    info.agents.push_back(agent.name);
  std::ranges::sort(info.agents);
  return info;
}

Orchestrator::Orchestrator(Loop& loop, const Arguments& arguments, store::CommitHook after_commit,
                           Handover before)
    : loop_(loop),
      arguments_(arguments),
      after_commit_(std::move(after_commit)),
      before_(std::move(before)),
      started_at_(iso_now()),
      clients_(loop, *this),
      zygotes_(loop, arguments, before_.soft_open_files, *this),
      instances_(loop, zygotes_, *this) {}

Orchestrator::~Orchestrator() = default;

Ended Orchestrator::run() {
  if (const Result<void> begun = begin(); !begun.ok()) fail_start({.error = begun.error()});
  while (phase_ != Phase::Over) {
    const std::optional<Deadline> timer =
        dispatcher_ ? dispatcher_->next_timer() : std::optional<Deadline>();
    loop_.round(timer.value_or(Deadline::max()));
    after_round();
  }
  return std::move(ended_);
}

Result<void> Orchestrator::begin() {
  signals_ = GDN_TRY(Signals::make(loop_, [this](int signal) { on_signal(signal); }));
  if (before_.owner.socket) GDN_TRY(clients_.add_owner(std::move(before_.owner)));
  zygotes_.load_candidate([this](const LoadFailure* failure) { on_first_load(failure); });
  return {};
}

void Orchestrator::on_first_load(const LoadFailure* failure) {
  if (failure != nullptr) return fail_start(*failure);
  zygotes_.take_candidate();
  if (const Result<void> opened = open_workspace(); !opened.ok()) {
    return fail_start({.error = opened.error()});
  }
  phase_ = Phase::Running;
  tell_started();
}

Result<void> Orchestrator::open_workspace() {
  folder_ = store::workspace_folder(arguments_.state_root, zygotes_.bundle().workspace);
  zygotes_.set_workspace_folder(folder_);
  lock_ = GDN_TRY(WorkspaceLock::adopt(std::move(before_.lock), folder_));
  store::Journal journal = GDN_TRY(store::Journal::open(folder_, {.after_commit = after_commit_}));
  journal_.emplace(std::move(journal));
  os::UniqueFd listener = std::move(before_.listener);
  if (!listener) listener = GDN_TRY(listen_in(folder_));
  observations_.emplace(clients_, EventLog(folder_));
  Processes& processes = *this;
  dispatcher_ = std::make_unique<Dispatcher>(*journal_, swarm_info(zygotes_.bundle()), processes);
  GDN_TRY(dispatcher_->restore());
  GDN_TRY(journal_->tidy());
  if (arguments_.watch == Arguments::Watch::Yes) {
    watcher_ = GDN_TRY(
        Watcher::make(loop_, arguments_.bundle, arguments_.state_root, [this] { reload(); }));
  }
  return clients_.open(std::move(listener));
}

void Orchestrator::tell_started() {
  const LoadedBundle& bundle = zygotes_.bundle();
  JsonObject started{{"pid", ::getpid()},
                     {"swarm", bundle.swarm},
                     {"agents", names_of(bundle)},
                     {"entryAgent", bundle.entry_agent},
                     {"workspace", bundle.workspace},
                     {"folder", folder_.string()},
                     {"warnings", bundle.warnings}};
  if (before_.began_ms > 0) {
    started["restarted"] = true;
    JsonObject restarted{{"type", "runtime.restarted"},
                         {"reason", before_.reason},
                         {"durationMs", milliseconds_now() - before_.began_ms}};
    if (!before_.problem.empty()) restarted["problem"] = before_.problem;
    observe(std::move(restarted));
  }
  clients_.tell_owner("started", std::move(started));
}

void Orchestrator::fail_start(const LoadFailure& failure) {
  JsonObject payload{{"error", error_json(failure.error)}};
  if (!failure.diagnostics.is_null()) payload["diagnostics"] = failure.diagnostics;
  if (!clients_.has_owner()) {
    std::fprintf(stderr, "[%s] %s\n", std::string(failure.error.code_text()).c_str(),
                 failure.error.message.c_str());
  }
  clients_.tell_owner("start_failed", std::move(payload));
  clients_.flush(Clock::now() + kFlushTime);
  ended_.exit_code = exit_code_of(failure.error);
  phase_ = Phase::Over;
}

void Orchestrator::after_round() {
  if (phase_ == Phase::Over || !dispatcher_) return;
  if (const auto timer = dispatcher_->next_timer(); timer && *timer <= Clock::now()) {
    dispatcher_->on_timer(Clock::now());
  }
  for (const InstanceName& name : dispatcher_->take_good_turns())
    instances_.good_turn(name);
  const bool idle = dispatcher_->idle();
  if (idle && !was_idle_) {
    observe({{"type", "runtime.idle"}, {"pendingHandles", pending_handles(*dispatcher_)}});
  }
  was_idle_ = idle;
  // A process that the zygote has just forked looks like an orphan until its number has come.
  if (sweep_ && !instances_.spawning()) {
    sweep_ = false;
    std::set<pid_t> wanted = instances_.pids();
    wanted.merge(zygotes_.pids());
    sweep_orphans(wanted);
  }
  observations_->flush();
  if (drain_ && drain_->advance()) finish();
}

void Orchestrator::on_signal(int signal) {
  if (signal == SIGCHLD) {
    sweep_ = true;
  } else if (signal == SIGHUP) {
    restart_all("SIGHUP", {}, {});
  } else {
    stop(signal == SIGTERM ? "SIGTERM" : "SIGINT");
  }
}

void Orchestrator::stop(const std::string& reason) {
  if (phase_ == Phase::Stopping || phase_ == Phase::Over) return;
  reason_ = reason;
  if (!dispatcher_) return finish_stop();
  const std::chrono::milliseconds grace = zygotes_.bundle().shutdown_grace;
  const DrainPlan plan{.turns = std::min(kStopTurns, grace),
                       .grace = std::min(kStopGrace, grace),
                       .reason = DrainReason::Shutdown};
  if (drain_) {
    drain_->hurry(plan);
  } else {
    drain_.emplace(loop_, *dispatcher_, instances_, plan);
  }
  phase_ = Phase::Stopping;
  watcher_.reset();
}

void Orchestrator::finish() {
  watcher_.reset();
  zygote_timer_.cancel();
  zygotes_.end();
  sweep_orphans(instances_.pids());
  if (phase_ == Phase::Restarting) return finish_restart();
  finish_stop();
}

void Orchestrator::finish_stop() {
  zygotes_.end();
  if (observations_) {
    observe({{"type", "runtime.stopped"}, {"reason", reason_}});
    observations_->flush();
  }
  drain_.reset();
  dispatcher_.reset();
  journal_.reset();
  clients_.tell_owner("stopped", {{"reason", reason_}});
  clients_.flush(Clock::now() + kFlushTime);
  if (lock_) remove_socket(folder_);
  lock_.reset();
  phase_ = Phase::Over;
}

void Orchestrator::finish_restart() {
  if (fresh_ == Fresh::Yes) {
    for (const store::InstanceRecord& record : dispatcher_->instances())
      delete_conversation({record.agent, record.instance_key});
  }
  observations_->flush();
  drain_.reset();
  dispatcher_.reset();
  journal_.reset();
  clients_.flush(Clock::now() + kFlushTime);
  Handover next{.lock = lock_->release(),
                .listener = clients_.take_listener(),
                .owner = clients_.take_owner(),
                .reason = reason_,
                .began_ms = began_ms_,
                .soft_open_files = before_.soft_open_files};
  ended_.next = std::move(next);
  phase_ = Phase::Over;
}

void Orchestrator::want(const InstanceName& instance, const std::string& cwd) {
  instances_.want(instance, cwd);
}

void Orchestrator::deliver(const InstanceName& instance, ipc::Message message) {
  instances_.deliver(instance, message);
}

void Orchestrator::reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) {
  clients_.reply(client, request_id, answer);
}

void Orchestrator::observe(JsonObject observation) {
  if (observations_) observations_->add(std::move(observation));
}

void Orchestrator::restart(std::string_view reason) {
  loop_.defer([this, text = std::string(reason)] { restart_all(text, {}, {}); });
}

void Orchestrator::on_spawned(std::uint64_t spawn, pid_t pid) {
  instances_.on_spawned(spawn, pid);
}

void Orchestrator::on_spawn_failed(std::uint64_t spawn, const Error& error) {
  instances_.on_spawn_failed(spawn, error);
}

void Orchestrator::on_link_gone(std::uint64_t link) {
  instances_.on_link_gone(link);
}

void Orchestrator::on_agent_message(const InstanceName& instance, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  const bool event = message.type == ipc::MessageType::Event;
  if (!event || text_field(payload, "kind") != "observe") {
    return dispatcher_->on_message(instance, message);
  }
  const JsonArray* const events = array_field(payload, "events");
  if (events == nullptr) return;
  for (const Json& value : *events) {
    if (!may_observe(object_or_empty(value))) continue;
    JsonObject observation = value.get_object();
    observation["agentName"] = instance.agent;
    observation["instanceKey"] = instance.key;
    observe(std::move(observation));
  }
}

void Orchestrator::on_agent_ready(const InstanceName& instance) {
  dispatcher_->on_ready(instance);
}

void Orchestrator::on_agent_exit(const InstanceName& instance, Dispatcher::Ending ending) {
  sweep_ = true;
  dispatcher_->on_exit(instance, ending);
}

void Orchestrator::on_agent_start_failed(const InstanceName& instance, const Error& error) {
  sweep_ = true;
  dispatcher_->on_start_failed(instance, error);
}

void Orchestrator::on_agent_observed(JsonObject observation) {
  observe(std::move(observation));
}

void Orchestrator::on_client_gone(std::uint64_t client) {
  if (dispatcher_) dispatcher_->on_client_gone(client);
}

void Orchestrator::on_owner_gone() {
  stop("the owner is gone");
}

}  // namespace goondan::orchestrator
