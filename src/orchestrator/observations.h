// Collects what happens in a round of the loop, for the log and for whoever watches.
#pragma once

#include <string>
#include <vector>

#include <goondan/json.h>

#include "orchestrator/clients.h"
#include "orchestrator/event_log.h"

namespace goondan::orchestrator {

// Confined to the loop; borrows the clients.
class Observations {
 public:
  Observations(Clients& clients, EventLog log) : clients_(clients), log_(std::move(log)) {}

  // Adds `timestamp` if it has none.
  void add(JsonObject observation);
  // To be called at the end of each round.
  void flush();

 private:
  Clients& clients_;
  EventLog log_;
  std::vector<Observed> round_;
  std::string lines_;
};

}  // namespace goondan::orchestrator
