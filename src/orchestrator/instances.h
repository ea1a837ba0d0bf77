// The processes of agent instances: started when wanted, watched, given up, ended.
//
// Confined to the loop. What happens is told to the listener from the loop, never from within a
// call of `want`, `deliver`, `drain` or `kill`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "ipc/message.h"
#include "orchestrator/backoff.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/loop.h"

namespace goondan::orchestrator {

// What a new process has, or why there is none now.
struct SpawnTicket {
  std::uint64_t spawn = 0;  // how the answer is known
  std::uint64_t link = 0;   // of the zygote that was asked
  std::string fingerprint = {};
};

class Spawner {
 public:
  virtual ~Spawner() = default;
  // Nothing: there is no zygote now; `Instances::retry_waiting` follows when there is.
  virtual std::optional<SpawnTicket> spawn(const InstanceName& instance, const std::string& cwd,
                                           os::UniqueFd socket) = 0;
};

class InstancesListener {
 public:
  virtual ~InstancesListener() = default;
  virtual void on_agent_message(const InstanceName& instance, const ipc::Message& message) = 0;
  virtual void on_agent_ready(const InstanceName& instance) = 0;
  virtual void on_agent_exit(const InstanceName& instance, Dispatcher::Ending ending) = 0;
  virtual void on_agent_start_failed(const InstanceName& instance, const Error& error) = 0;
  virtual void on_agent_observed(JsonObject observation) = 0;
};

enum class InstanceState { Stopped, Waiting, Spawning, Starting, Ready, Draining };

// What `status` tells of one.
struct InstanceView {
  InstanceState state = InstanceState::Stopped;
  bool in_backoff = false;
  pid_t pid = 0;
  int crashes = 0;
  std::int64_t turns = 0;
  std::string started_at = {};
};

enum class DrainReason { Restart, ConfigChange, Shutdown };

// More are refused with `E_LIMIT`, so that agents that spawn agents cannot fill the machine.
inline constexpr std::size_t kMaxProcesses = 4'096;
// From the fork to `ready`.
inline constexpr std::chrono::seconds kReadyTime{60};
// From the end of the grace to the kill: for cancelled calls to end, and for the exit.
inline constexpr std::chrono::milliseconds kExitTime{1'000};
// An instance that dies this often in a row before it is ready is given up.
inline constexpr int kMaxStartCrashes = 5;

class Instances {
 public:
  Instances(Loop& loop, Spawner& spawner, InstancesListener& listener);
  ~Instances();

  void want(const InstanceName& instance, const std::string& cwd);
  // To one that is ready; otherwise nothing happens.
  void deliver(const InstanceName& instance, const ipc::Message& message);
  void good_turn(const InstanceName& instance);

  // Tells it to end: after its turn, but within `grace`; then it is killed. One that is not ready
  // is killed at once. `after` is called when there is no process, also if there is none now.
  void drain(const InstanceName& instance, std::chrono::milliseconds grace, DrainReason reason,
             std::function<void()> after = {});
  void drain_all(std::chrono::milliseconds grace, DrainReason reason);
  void kill_all();
  // From now on nothing is started.
  void stop_spawning() { allowed_ = Spawning::Stopped; }
  // There is no process, and none is wanted any more.
  void forget(const InstanceName& instance);

  // From the zygotes.
  void on_spawned(std::uint64_t spawn, pid_t pid);
  void on_spawn_failed(std::uint64_t spawn, const Error& error);
  void on_link_gone(std::uint64_t link);
  // There is a zygote now.
  void retry_waiting();
  // There is none, and for this reason: whoever waits is given up.
  void fail_waiting(const Error& error);

  [[nodiscard]] InstanceView view(const InstanceName& instance) const;
  [[nodiscard]] std::vector<InstanceName> names() const;
  // That were started with another fingerprint than this says, and are not ending.
  [[nodiscard]] std::vector<InstanceName> outdated(
      const std::function<std::string(const std::string& agent)>& fingerprint) const;
  [[nodiscard]] std::vector<InstanceName> running(std::string_view agent) const;
  [[nodiscard]] std::size_t process_count() const;
  // Whether a process may exist of which we do not know the number yet.
  [[nodiscard]] bool spawning() const;
  [[nodiscard]] std::set<pid_t> pids() const;

 private:
  struct Instance;
  using Table = std::map<InstanceName, std::unique_ptr<Instance>>;

  Instance& instance(const InstanceName& name);
  Instance* find(const InstanceName& name) const;
  void start(Instance& instance);
  void start_when_allowed(Instance& instance);
  void wait_for(Instance& instance, Deadline when);
  void refuse(const Instance& instance, const std::string& why);
  void retry_socket(Instance& instance, const Error& error);
  void tell_to_end(Instance& instance, std::chrono::milliseconds grace, DrainReason reason);
  void forget_spawn(Instance& instance);
  void end_later(const Instance& instance);
  void erase_unused(const InstanceName& name);

  void on_process(Instance& instance, pid_t pid);
  Result<void> watch(Instance& instance);
  void on_socket(Instance& instance, std::uint32_t events);
  Result<void> receive(Instance& instance);
  void on_message(Instance& instance, const ipc::Message& message);
  void on_ready(Instance& instance);
  void on_socket_end(Instance& instance);
  void on_process_end(Instance& instance);
  void finish(Instance& instance, const std::string& how);
  void tell_end(Instance& instance, const std::string& how);
  void count_crash(Instance& instance);
  void run_after_end(Instance& instance);
  void observe(const Instance& instance, std::string_view type, JsonObject fields);

  Loop& loop_;
  Spawner& spawner_;
  InstancesListener& listener_;
  Table table_;
  std::map<std::uint64_t, Instance*> spawns_;  // asked for and not answered
  enum class Spawning { Allowed, Stopped } allowed_ = Spawning::Allowed;
};

}  // namespace goondan::orchestrator
