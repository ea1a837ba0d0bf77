// Circles that no single chain of calls shows: two turns, begun by different users, each waiting
// for the other's instance to be free.
#pragma once

#include <goondan/result.h>

#include "orchestrator/board.h"

namespace goondan::orchestrator {

// `E_AGENT_CYCLE`, with the chain in its message, if the turn that `target` works on waits, itself
// or through others, for `sender`. Both would otherwise stand still until one of them times out.
Result<void> check_waits(Board& board, const InstanceName& sender, const InstanceName& target);

}  // namespace goondan::orchestrator
