// One turn from its first or next step to its outcome.
#pragma once

#include "agent/turn_report.h"

namespace goondan::agent {

// Runs a turn that the store has begun. Its end is in the store, unless it was interrupted (it can
// be taken up later) or the store fails (the outcome says so). `engine` has the conversation.
TurnOutcome run_turn(Engine& engine, TurnProgress turn, Taken taken);

// Ends a turn that nobody will take up.
Result<void> abandon_turn(Engine& engine, const store::TurnRecord& record);

TurnOutcome failed_turn(Error error);
TurnOutcome interrupted_turn();

}  // namespace goondan::agent
