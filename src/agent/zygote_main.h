// The process that agents are forked from.
#pragma once

#include "store/database.h"

namespace goondan::agent {

// `gdn zygote --bundle DIR --swarm NAME --state-root DIR`, with descriptor 3 the socket to the
// orchestrator (`docs/protocol.md`). Stays single-threaded, so that a fork is safe at any time.
// Returns 0 when the socket ends, 1 if the bundle cannot run, 2 for other words.
int run_zygote(int argc, char** argv, const store::CommitHook& after_commit = {});

}  // namespace goondan::agent
