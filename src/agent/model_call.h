// Asking the model once in a step.
#pragma once

#include "agent/engine.h"

namespace goondan::agent {

// What the model is shown beside the conversation.
struct ModelOffer {
  const ToolCatalog& catalog;
  const JsonArray& blocks;
};

// The model's answer to the conversation as it is, with something in it: an empty one is asked for
// once more, then it is `E_MODEL_REPLY`. `turn_stopped` if the turn was stopped meanwhile.
Result<ModelReply> ask_model(Engine& engine, TurnProgress& turn, const Span& step,
                             const ModelOffer& offer);

}  // namespace goondan::agent
