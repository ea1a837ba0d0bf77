// Brings messages to instances, one turn at a time, and takes back what came of them.
//
// A message is in one of three places: it waits, it is the current one, or it is done; the journal
// holds it until it is done. What the journal does not take (a full disk) stays as it is in memory
// and is tried again after a while: at most one result for each instance waits so, because the
// instance gets nothing new before; should the orchestrator end first, the message is delivered
// again and the agent answers from its own database. Thread-compatible.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "orchestrator/board.h"
#include "orchestrator/outcome.h"

namespace goondan::orchestrator {

// An injection that this many processes died of is given up. More than `kMaxAttempts`: it is the
// only copy of an answer, and most processes that die do not die of it.
inline constexpr int kMaxInjectionAttempts = 10;
inline constexpr std::chrono::milliseconds kFirstRetry{100};
inline constexpr std::chrono::milliseconds kLongestRetry{5'000};

class Deliveries {
 public:
  explicit Deliveries(Board& board) : board_(board) {}

  // The journal has it. To be followed by `pump` or `pump_later`.
  void enqueue(const store::JournalMessage& message);
  // Gives the instance what it can take now, or asks for a process. All that waits for an agent
  // that is not in the swarm (any more) is answered with an error.
  void pump(Instance& instance);
  void pump_all();
  // The same, when the one who brought something has been answered.
  void pump_later(const InstanceName& name) { due_.push_back(name); }
  void pump_due();

  void on_ready(Instance& instance);
  void on_exit(Instance& instance, Dispatcher::Ending ending);
  // All that waits is answered with `error`.
  void on_start_failed(Instance& instance, const Error& error);
  void answer_all(Instance& instance, const Error& error);

  void on_done(Instance& instance, const ipc::Message& message);
  void on_injected(Instance& instance, std::string_view id);
  void on_retry(Instance& instance);

  std::vector<InstanceName> take_good_turns();

 private:
  void leave(Instance& instance);
  void blame(Instance& instance);
  void give_up_injections(Instance& instance);
  [[nodiscard]] bool deliverable(const Entry& entry);
  [[nodiscard]] bool wanted(const Instance& instance);
  void start_next(Instance& instance);
  void start(Instance& instance, JsonObject payload);
  void inject(Instance& instance);
  void acknowledge(Instance& instance);
  void drain_doomed(Instance& instance);
  bool close(Instance& instance, Outcome outcome);
  bool try_close(Instance& instance);
  Result<void> settle(const Entry& entry, const Outcome& outcome);
  void answer(const Request& request, const Outcome& outcome);
  void observe_end(const Instance& instance, const Entry& entry, const Outcome& outcome);
  void retry_later(Instance& instance, std::string_view message_id, const Error& error);

  Board& board_;
  std::vector<InstanceName> good_turns_;
  std::vector<InstanceName> due_;
};

}  // namespace goondan::orchestrator
