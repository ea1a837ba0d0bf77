// Start and rounds; the other files of the class have its end, its events, requests and updates.
#include "orchestrator/orchestrator.h"

#include <algorithm>
#include <cstdio>
#include <signal.h>
#include <unistd.h>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/adopted_process.h"
#include "orchestrator/bundle_environment.h"
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
      zygotes_(loop, arguments, before_.soft_open_files, redactor_, *this),
      instances_(loop, zygotes_, *this) {
  if (before_.lock) folder_ = locked_folder(before_.lock.get());
}

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
  leave_workspace_before();
  zygotes_.set_workspace_folder(folder_);
  lock_ = GDN_TRY(WorkspaceLock::adopt(std::move(before_.lock), folder_));
  store::Journal journal = GDN_TRY(store::Journal::open(folder_, {.after_commit = after_commit_}));
  journal_.emplace(std::move(journal));
  os::UniqueFd listener = std::move(before_.listener);
  if (!listener) listener = GDN_TRY(listen_in(folder_));
  observations_.emplace(clients_, EventLog(folder_));
  GDN_TRY(watch_bundle());
  Processes& processes = *this;
  dispatcher_ = std::make_unique<Dispatcher>(*journal_, swarm_info(zygotes_.bundle()), processes);
  GDN_TRY(dispatcher_->restore());
  return clients_.open(std::move(listener));
}

// A bundle that names another workspace since the restart: its state, lock and socket are
// elsewhere.
void Orchestrator::leave_workspace_before() {
  const std::filesystem::path before = std::exchange(
      folder_, store::workspace_folder(arguments_.state_root, zygotes_.bundle().workspace));
  std::error_code absent;
  if (!before_.lock || std::filesystem::equivalent(before, folder_, absent)) return;
  remove_socket(before);
  before_.listener.reset();
  before_.lock.reset();
}

Result<void> Orchestrator::watch_bundle() {
  if (arguments_.watch == Arguments::Watch::No) return {};
  watcher_ = GDN_TRY(Watcher::make(loop_, bundle_folder(arguments_.bundle), arguments_.state_root,
                                   [this] { reload(); }));
  if (watcher_->problem()) {
    observe({{"type", "runtime.problem"}, {"error", error_json(*watcher_->problem())}});
  }
  return {};
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
    JsonObject restarted{
        {"type", "runtime.restarted"},
        {"reason", before_.reason},
        {"durationMs", std::max<std::int64_t>(milliseconds_now() - before_.began_ms, 0)}};
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
  if (lock_ || before_.lock) remove_socket(folder_);
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
    observe({{"type", "runtime.idle"}, {"pendingHandles", dispatcher_->pending_handles()}});
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

}  // namespace goondan::orchestrator
