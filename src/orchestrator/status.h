// The object that `status` is answered with.
#pragma once

#include <string>

#include <goondan/json.h>

#include "orchestrator/dispatcher.h"
#include "orchestrator/instances.h"

namespace goondan::orchestrator {

struct StatusParts {
  const Dispatcher& dispatcher;
  const Instances& instances;
  std::string swarm = {};
  std::string workspace = {};
  std::string bundle = {};
  std::string started_at = {};
};

// `{swarm, workspace, pid, startedAt, bundle, agents: [...], queued, pendingHandles, omitted?}`;
// fits into a message. `omitted` is how many instances are not listed: those without a process
// first.
Json status_json(const StatusParts& parts);

}  // namespace goondan::orchestrator
