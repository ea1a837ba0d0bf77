#include "agent/first_dialect.h"

#include "v1alpha1/surroundings.h"

namespace goondan::agent {

Json surroundings_of_calls(const Engine& engine, const TurnProgress& turn, const CallsToRun& work) {
  const TurnSettings& settings = engine.parts.settings;
  const std::string step = step_id(turn);
  return v1alpha1::make_surroundings(
      {.agent_name = settings.agent_name,
       .instance_id = settings.instance_id,
       .turn_id = turn.record.turn_id,
       .origin = turn.input.origin,
       .auth = turn.input.auth,
       .metadata = turn.input.metadata,
       .messages = v1alpha1::messages_of_turn(engine.conversation->messages(), turn.record.turn_id),
       .step_id = step,
       .step_index = turn.steps,
       .answer = &work.message,
       .calls = work.calls,
       .catalog = work.catalog});
}

}  // namespace goondan::agent
