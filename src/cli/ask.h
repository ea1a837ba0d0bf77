// Asking the orchestrator of a workspace, or its journal where none runs.
#pragma once

#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "cli/orchestrator_client.h"
#include "cli/workspace_choice.h"

namespace goondan::cli {

// The result of a request of `docs/protocol.md`. `E_NOT_RUNNING` if no orchestrator runs there.
Result<Json> ask_orchestrator(const Workspace& workspace, std::string_view kind, JsonObject params,
                              Deadline deadline);

// The same where none runs: takes its lock, answers from the journal, and writes what follows into
// it, for the next orchestrator to act on. For `handles.*` only.
Result<Json> ask_journal(const Workspace& workspace, std::string_view kind, JsonObject params);

// The first if one runs, else the second.
Result<Json> ask_either(const Workspace& workspace, std::string_view kind, JsonObject params,
                        Deadline deadline);

}  // namespace goondan::cli
