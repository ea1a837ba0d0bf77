// One run of the orchestrator, from loading the bundle to the end or to its own replacement: ties
// the loop, the zygotes, the instances, the clients and the dispatcher together.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "orchestrator/arguments.h"
#include "orchestrator/clients.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/drain.h"
#include "orchestrator/handover.h"
#include "orchestrator/instances.h"
#include "orchestrator/loop.h"
#include "orchestrator/observations.h"
#include "orchestrator/signals.h"
#include "orchestrator/watcher.h"
#include "orchestrator/workspace_lock.h"
#include "orchestrator/zygotes.h"
#include "store/journal.h"

namespace goondan::orchestrator {

// From the first word to stop to the last process gone: five seconds at most.
inline constexpr std::chrono::milliseconds kStopTurns{2'500};
inline constexpr std::chrono::milliseconds kStopGrace{500};
// What agents have for their end at a restart, once no turn runs or the swarm's grace is over.
inline constexpr std::chrono::milliseconds kRestartGrace{2'000};
// For replies and events to go out at the end.
inline constexpr std::chrono::milliseconds kFlushTime{300};

// How a run ended.
struct Ended {
  int exit_code = 0;
  std::optional<Handover> next = {};  // the program is to be replaced
};

// What the dispatcher is to know of a bundle.
SwarmInfo swarm_info(const LoadedBundle& bundle);
std::int64_t milliseconds_now();  // since 1970
Error stopping_error();

// Confined to the loop.
class Orchestrator final : private Processes,
                           private ZygotesListener,
                           private InstancesListener,
                           private ClientsListener {
 public:
  Orchestrator(Loop& loop, const Arguments& arguments, store::CommitHook after_commit,
               Handover before);
  ~Orchestrator() override;

  Ended run();

 private:
  enum class Phase { Loading, Running, Stopping, Restarting, Over };
  enum class Fresh { No, Yes };  // conversations are deleted
  struct Asked {                 // by a client, or by nobody that waits
    std::uint64_t client = 0;
    std::string request_id = {};
  };

  // orchestrator.cc: start and rounds
  Result<void> begin();
  Result<void> open_workspace();
  void leave_workspace_before();
  Result<void> watch_bundle();
  void on_first_load(const LoadFailure* failure);
  void fail_start(const LoadFailure& failure);
  void tell_started();
  void after_round();
  void on_signal(int signal);
  // orchestrator_end.cc
  void stop(const std::string& reason);
  void finish();
  void finish_stop();
  void finish_restart();

  // orchestrator_updates.cc: changed bundles, restarts
  void reload();
  Result<void> on_reload(const LoadFailure* failure);
  void apply_candidate();
  void reject(const LoadFailure& failure);
  void restart_all(const std::string& reason, const Asked& asked, const JsonObject& params);
  void begin_restart(const std::string& reason, const Asked& asked, Fresh fresh);
  void restart_agent(const std::string& agent, const Asked& asked, const JsonObject& params);
  void replace_instances(const std::string& agent, Fresh fresh);
  void delete_conversation(const InstanceName& instance);
  // orchestrator_requests.cc
  void delete_instance(const Asked& asked, const JsonObject& params);
  Result<Json> delete_state(const InstanceName& name);
  void answer(const Asked& asked, const Result<Json>& result);

  // orchestrator_events.cc
  // Processes
  void want(const InstanceName& instance, const std::string& cwd) override;
  void deliver(const InstanceName& instance, ipc::Message message) override;
  void reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) override;
  void observe(JsonObject observation) override;
  void restart(std::string_view reason) override;
  void bundle_changed(std::function<void(const Result<void>&)> loaded) override;
  // ZygotesListener
  void on_spawned(std::uint64_t spawn, pid_t pid) override;
  void on_spawn_failed(std::uint64_t spawn, const Error& error) override;
  void on_link_gone(std::uint64_t link) override;
  void on_zygote_lost(const std::string& how) override;
  // InstancesListener
  void on_agent_message(const InstanceName& instance, const ipc::Message& message) override;
  void on_agent_ready(const InstanceName& instance) override;
  void on_agent_exit(const InstanceName& instance, Dispatcher::Ending ending) override;
  void on_agent_start_failed(const InstanceName& instance, const Error& error) override;
  void on_agent_observed(JsonObject observation) override;
  // ClientsListener
  void on_request(std::uint64_t client, const JsonObject& payload) override;
  void on_client_gone(std::uint64_t client) override;
  void on_owner_gone() override;

  Loop& loop_;
  const Arguments& arguments_;
  store::CommitHook after_commit_;
  Handover before_;
  std::string started_at_;
  Phase phase_ = Phase::Loading;
  std::string reason_;  // of the stop or the restart
  Fresh fresh_ = Fresh::No;
  std::int64_t began_ms_ = 0;
  Ended ended_;

  std::filesystem::path folder_;  // of the workspace
  std::optional<WorkspaceLock> lock_;
  std::optional<store::Journal> journal_;
  std::optional<Signals> signals_;
  Clients clients_;
  std::optional<Observations> observations_;
  Redactor redactor_;
  Zygotes zygotes_;
  Instances instances_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<Watcher> watcher_;
  std::optional<Drain> drain_;
  Backoff zygote_backoff_;
  Loop::Timer zygote_timer_;
  bool was_idle_ = false;
  bool sweep_ = true;  // what a program before this one left, too
};

}  // namespace goondan::orchestrator
