// Decides what happens to messages: who gets which when, who waits for whom, what is answered.
//
// Pure but for the journal: it is told what came and what ended, and tells `Processes` what to do.
// Every accepted message is in the journal before anyone is told so. Thread-compatible: used by the
// orchestrator's loop only; `Processes` may call back from any of its functions.
//
// Who gets what: each instance gets one turn at a time, in the order of acceptance, and the next
// one when that has ended. Injections (answers to asynchronous requests, outcomes of handles) go to
// a process that is ready at once, also while a turn runs, and stay in the journal until it has
// them on disk. An answer goes only to the process that asked: one that came after it gets none,
// unless it asks again with the same id. Requests that would wait in a circle are refused
// (`E_AGENT_CYCLE`); `send` is not checked, nobody waits for it. What the journal does not take is
// refused, if someone asked for it, or tried again, if it has happened already (`deliveries.h`).
// What becomes of a handle reaches its agent once: by the wait it has open, or as an injection
// (`handles.h`).
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "ipc/message.h"
#include "store/journal.h"

namespace goondan::orchestrator {

struct InstanceName {
  std::string agent;
  std::string key;

  [[nodiscard]] std::string text() const { return agent + "@" + key; }
  friend auto operator<=>(const InstanceName&, const InstanceName&) = default;
};

// What the dispatcher asks of the side that has the processes.
class Processes {
 public:
  virtual ~Processes() = default;
  // Have a process for the instance, now or when its back-off ends; `Dispatcher::on_ready` follows.
  // May be said again while it has none.
  virtual void want(const InstanceName& instance, const std::string& cwd) = 0;
  // To a process that is ready.
  virtual void deliver(const InstanceName& instance, ipc::Message message) = 0;
  // To a client that waits (`client` as given to `on_client`).
  virtual void reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) = 0;
  // For whoever watches; `timestamp` is added.
  virtual void observe(JsonObject observation) = 0;
  // An agent asked for a restart of everything.
  virtual void restart(std::string_view reason) = 0;
  // An agent has changed the bundle: it is read anew, and agents that are other than before are
  // replaced, each after its turn. `loaded` hears when no turn will begin with the old one any
  // more, or why the old one stays.
  virtual void bundle_changed(std::function<void(const Result<void>&)> loaded) = 0;
};

struct SwarmInfo {
  std::string name = {};
  std::string entry_agent = {};
  std::vector<std::string> agents = {};  // sorted
  std::string default_key = "default";   // instance key of messages that name none
};

// A message whose agent dies this often while working on it is given up with `E_AGENT_CRASH`.
inline constexpr int kMaxAttempts = 3;
// Asynchronous requests that one instance may have open.
inline constexpr std::size_t kMaxOpenRequests = 256;
// Messages that may wait for one instance; more are refused with `E_LIMIT`.
inline constexpr std::size_t kMaxQueuedMessages = 10'000;

class Dispatcher {
 public:
  Dispatcher(store::Journal& journal, SwarmInfo swarm, Processes& processes);
  ~Dispatcher();

  // Takes up what the journal holds: called once, before anything else.
  Result<void> restore();
  // The bundle was read anew. Messages to agents that are gone are answered with an error.
  void set_swarm(SwarmInfo swarm);

  // From agents. `sender` is who the socket belongs to, whatever the message says.
  void on_message(const InstanceName& sender, const ipc::Message& message);
  void on_ready(const InstanceName& instance);
  // `crashed`: it ended without being told to. Its message is delivered again (`want`), or given up
  // after `kMaxAttempts`; whoever it asked gets no answer any more.
  enum class Ending { Expected, Crashed };
  void on_exit(const InstanceName& instance, Ending ending);
  // It cannot be started at all: all its messages are answered with `error`.
  void on_start_failed(const InstanceName& instance, const Error& error);

  // From clients: `submit`, `cancel`, `spawn`, `handles.*`. Answered with `Processes::reply`, at
  // once or later (`handles.wait`). Returns whether the kind was one of these.
  bool on_client(std::uint64_t client, std::string_view kind, std::string_view request_id,
                 const JsonObject& params);
  void on_client_gone(std::uint64_t client);

  // Deadlines of requests and waits.
  [[nodiscard]] std::optional<Deadline> next_timer() const;
  void on_timer(Deadline now);

  // From now on only what running turns need is delivered: their requests to other agents, which
  // pass messages that wait before them, and injections for them. The rest waits in the journal.
  void quiesce();
  // From a stop of the drain that was given up.
  void resume();

  [[nodiscard]] bool working(const InstanceName& instance) const;  // a turn runs
  [[nodiscard]] std::size_t working_count() const;
  [[nodiscard]] std::size_t queued(const InstanceName& instance) const;
  // Nothing runs, nothing is queued. Pending handles, and injections for an agent that could not be
  // started, keep nobody from being idle.
  [[nodiscard]] bool idle() const;
  // One turn ended well since the last call; for the back-off of the instance.
  [[nodiscard]] std::vector<InstanceName> take_good_turns();

  // Forgets the instance; its messages are answered with an error. Its process is gone already.
  Result<void> forget(const InstanceName& instance);
  [[nodiscard]] bool knows(const InstanceName& instance) const;
  [[nodiscard]] std::vector<store::InstanceRecord> instances() const;
  [[nodiscard]] std::int64_t pending_handles() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace goondan::orchestrator
