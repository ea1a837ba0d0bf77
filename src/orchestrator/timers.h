// What the dispatcher has to come back to, by the time it is due.
//
// Thread-compatible: used by the orchestrator's loop only. Holds values; a timer that is cancelled
// leaves nothing behind.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <goondan/tool_context.h>

#include "orchestrator/dispatcher.h"

namespace goondan::orchestrator {

enum class TimerKind {
  Request,  // `name.agent` is the correlation id: the request is too old
  Wait,     // `number` is a wait for a handle
  Retry,    // `name` is an instance for which the journal refused something
  Tidy,     // old records are to be deleted
};

struct Timer {
  TimerKind kind = TimerKind::Tidy;
  InstanceName name = {};
  std::uint64_t number = 0;
};

class Timers {
 public:
  using Id = std::pair<Deadline, std::uint64_t>;

  Id add(Deadline due, Timer timer);
  void cancel(const Id& id) { timers_.erase(id); }
  void cancel(std::optional<Id>& id);

  [[nodiscard]] std::optional<Deadline> next() const;
  // Takes out those that are due at `now`, earliest first.
  std::vector<Timer> take_due(Deadline now);

 private:
  std::map<Id, Timer> timers_;
  std::uint64_t last_ = 0;
};

}  // namespace goondan::orchestrator
