// The zygote, seen from the orchestrator: one process that has a bundle loaded and forks agents.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/loop.h"
#include "os/child.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

// What a zygote says of the bundle it has loaded.
struct LoadedBundle {
  struct Agent {
    std::string name = {};
    std::string fingerprint = {};
  };

  std::string swarm = {};
  std::string workspace = {};
  std::string entry_agent = {};
  std::vector<Agent> agents = {};
  std::chrono::milliseconds shutdown_grace{30'000};
  Json warnings = nullptr;

  // Empty if there is no such agent.
  [[nodiscard]] std::string fingerprint(std::string_view agent) const;
};

struct AgentSpawn {
  std::string agent = {};
  std::string instance_key = {};
  std::string folder = {};
  std::string cwd = {};
};

// Is told what a zygote does. May retire the link it is called for, but not destroy it.
class ZygoteListener {
 public:
  virtual ~ZygoteListener() = default;
  virtual void on_loaded(std::uint64_t link) = 0;
  // The bundle is wrong, or the zygote ended or hung before it was loaded; it is of no more use.
  virtual void on_load_failed(std::uint64_t link, const Error& error, const Json& diagnostics) = 0;
  virtual void on_spawned(std::uint64_t spawn, pid_t pid) = 0;
  virtual void on_spawn_failed(std::uint64_t spawn, const Error& error) = 0;
  // It ended or hung after it had been loaded; what it was asked to spawn will not come.
  virtual void on_zygote_gone(std::uint64_t link, const std::string& how) = 0;
};

inline constexpr std::chrono::seconds kLoadTime{60};
inline constexpr std::chrono::seconds kSpawnTime{15};
// Requests that wait because the zygote does not read.
inline constexpr std::size_t kMaxWaitingSpawns = 20'000;

// Owns the process; kills it when it goes (agents go on). Confined to the loop.
class ZygoteLink {
 public:
  struct Options {
    std::uint64_t id = 0;                // how the listener knows the link
    std::vector<std::string> argv = {};  // the program and its words
    std::vector<std::string> environment = {};
    std::string environment_fingerprint = {};           // becomes part of each agent's fingerprint
    std::optional<std::uint64_t> soft_open_files = {};  // limit of the zygote and its agents
  };

  static Result<std::unique_ptr<ZygoteLink>> start(Loop& loop, ZygoteListener& listener,
                                                   Options options);

  // Asks for an agent with `socket` as its end. The answer is `on_spawned` or `on_spawn_failed`
  // with the number `spawn`, or `on_zygote_gone`.
  Result<void> spawn(std::uint64_t spawn, const AgentSpawn& agent, os::UniqueFd socket);

  [[nodiscard]] std::uint64_t id() const { return options_.id; }
  [[nodiscard]] pid_t pid() const { return child_.pid(); }
  // None until it is loaded.
  [[nodiscard]] const std::optional<LoadedBundle>& bundle() const { return bundle_; }
  // Spawns that have not been answered.
  [[nodiscard]] const std::set<std::uint64_t>& asked() const { return asked_; }

 private:
  struct Outgoing {
    std::string text;
    os::UniqueFd socket;
  };

  ZygoteLink(Loop& loop, ZygoteListener& listener, Options options, os::Child child,
             os::UniqueFd socket);
  Result<void> watch();
  void on_ready(std::uint32_t events);
  void receive();
  void on_note(std::string_view text);
  void on_first_note(const JsonObject& note);
  void on_answer(const JsonObject& note);
  void send_waiting();
  void await_answers();
  void fail(const std::string& how);

  Loop& loop_;
  ZygoteListener& listener_;
  Options options_;
  os::Child child_;
  os::UniqueFd socket_;
  Loop::Watch watch_;
  Loop::Timer timer_;
  std::optional<LoadedBundle> bundle_;
  std::deque<Outgoing> waiting_;
  std::set<std::uint64_t> asked_;
  enum class Life { Running, Over } life_ = Life::Running;
};

}  // namespace goondan::orchestrator
