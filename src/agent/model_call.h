// Asking the model once in a step.
#pragma once

#include "agent/engine.h"

namespace goondan::agent {

// The model's answer to the conversation as it is, with something in it: an empty one is asked for
// once more, then it is `E_MODEL_REPLY`. `turn_stopped` if the turn was stopped meanwhile.
Result<ModelReply> ask_model(Engine& engine, TurnProgress& turn, const Span& step,
                             const ToolCatalog& catalog);

}  // namespace goondan::agent
