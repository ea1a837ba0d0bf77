// `gdn`: the command line, and the processes that it starts of itself.
#pragma once

#include "store/database.h"

namespace goondan {

// `after_commit` is called after each commit to the state of agents and of the orchestrator; tests
// end the process there.
int run_gdn(int argc, char** argv, const store::CommitHook& after_commit = {});

}  // namespace goondan
