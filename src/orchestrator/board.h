// What all parts of the dispatcher work on together. Thread-compatible.
#pragma once

#include "orchestrator/dispatcher.h"
#include "orchestrator/outbox.h"
#include "orchestrator/queues.h"
#include "orchestrator/requests.h"
#include "orchestrator/timers.h"
#include "store/journal.h"

namespace goondan::orchestrator {

struct Board {
  Board(store::Journal& the_journal, SwarmInfo the_swarm, Processes& processes)
      : journal(the_journal), swarm(std::move(the_swarm)), out(processes, queues) {}

  store::Journal& journal;
  SwarmInfo swarm;
  Timers timers = {};
  Queues queues = {};
  Requests requests = {};
  Outbox out;
  bool quiesced = false;
};

}  // namespace goondan::orchestrator
