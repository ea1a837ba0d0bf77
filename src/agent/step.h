// One step of a turn: the model is asked once, and its calls are run.
#pragma once

#include "agent/engine.h"
#include "agent/step_calls.h"

namespace goondan::agent {

// `turn.steps` is the number of this step. With `StepStart::Calls` the model is not asked: its
// answer is the last assistant's message. Both pass through the middleware.
StepResult run_step(Engine& engine, TurnProgress& turn, StepStart start);

}  // namespace goondan::agent
