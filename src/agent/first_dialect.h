// What code of the first dialect is told of a running turn.
#pragma once

#include "agent/engine.h"
#include "agent/step_calls.h"

namespace goondan::agent {

// `{turn, step, toolCatalog}` for the calls of a step.
Json surroundings_of_calls(const Engine& engine, const TurnProgress& turn, const CallsToRun& work);

}  // namespace goondan::agent
