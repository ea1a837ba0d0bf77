// The process that spawns, watches and connects the agents of one swarm.
#pragma once

#include "store/database.h"

namespace goondan::orchestrator {

// `gdn orchestrator --bundle DIR --swarm NAME --state-root DIR [--watch] [--env-file FILE]`, with
// descriptor 3 the connection of its owner, if it has one. Exit codes as `gdn`'s.
int run_orchestrator(int argc, char** argv, const store::CommitHook& after_commit = {});

}  // namespace goondan::orchestrator
