// Which instances there are, what waits for each, and what each works on.
//
// Thread-compatible: used by the orchestrator's loop only. References to instances stay good until
// the instance is erased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/dispatcher.h"
#include "orchestrator/outcome.h"
#include "orchestrator/timers.h"
#include "store/journal.h"

namespace goondan::orchestrator {

// The texts of the messages that may wait for one instance, and for all together.
inline constexpr std::size_t kMaxQueuedBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxQueuedBytesOfAll = std::size_t{512} << 20;

// Which process of an instance: 1 for its first. 0 is none.
using Generation = std::uint64_t;

struct Entry {
  store::JournalMessage message = {};
  int crashes = 0;            // processes that died of it since the orchestrator started
  Generation delivered = 0;   // an injection: to which process
  bool acknowledged = false;  // an injection: the agent has it, the journal does not know yet
};

// Absent: no process takes messages. Leaving: it takes answers, but no more turns.
enum class Presence { Absent, Ready, Leaving };

struct Instance {
  InstanceName name = {};
  std::optional<store::InstanceRecord> record = {};  // none: not written yet
  Presence presence = Presence::Absent;
  Generation generation = 0;

  std::optional<Entry> current = {};    // delivered and not done
  std::optional<Outcome> closing = {};  // what came of it, until the journal has taken it
  std::string trace_id = {};            // of the current message
  std::vector<std::string> call_stack = {};

  std::deque<Entry> waiting = {};
  std::deque<Entry> injections = {};
  std::size_t waiting_bytes = 0;
  std::optional<Error> doom = {};  // what all that waits is answered with
  bool unstartable = false;        // do not ask for a process until something new comes
  bool good_turn = false;          // not told yet
  std::size_t async_requests = 0;  // that it has open

  int retries = 0;
  std::optional<Timers::Id> retry = {};

  std::size_t counted_open = 0;  // what `Queues` has counted of it
  std::size_t counted_working = 0;

  [[nodiscard]] bool working() const { return current && !closing; }
  // Whether `generation` is the process that runs now.
  [[nodiscard]] bool alive(Generation asked) const {
    return presence != Presence::Absent && generation == asked;
  }
};

class Queues {
 public:
  Instance* find(const InstanceName& name);
  [[nodiscard]] const Instance* find(const InstanceName& name) const;
  Instance& at(const InstanceName& name);  // made if there is none
  void erase(const InstanceName& name);
  std::map<InstanceName, Instance>& all() { return instances_; }
  [[nodiscard]] const std::map<InstanceName, Instance>& all() const { return instances_; }

  // `E_LIMIT` if the instance has too much waiting for it.
  [[nodiscard]] Result<void> check_room(const InstanceName& name, std::size_t bytes) const;
  void push(Instance& instance, store::JournalMessage message);
  void push_front(Instance& instance, Entry entry);
  Entry take(Instance& instance, std::size_t index);

  // To be called after each change of an instance; the numbers below follow from it.
  void recount(Instance& instance);
  [[nodiscard]] std::size_t open() const { return open_; }
  [[nodiscard]] std::size_t working() const { return working_; }

 private:
  std::map<InstanceName, Instance> instances_;
  std::size_t open_ = 0;
  std::size_t working_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace goondan::orchestrator
