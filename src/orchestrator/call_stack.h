// Who waits for whom: the chain of agents that a turn is part of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/dispatcher.h"

namespace goondan::orchestrator {

// Outermost first, each `agent@key`.
using CallStack = std::vector<std::string>;

// The agent of `agent@key`. Names of agents hold no `@`; keys may.
std::string_view agent_of(std::string_view instance);

CallStack call_stack_from(const JsonObject& turn_message);
JsonArray call_stack_json(const CallStack& stack);

// `E_AGENT_CYCLE`, with the chain in its message, if the target's agent is in `stack`. Compared by
// the agent's name: the same agent under another instance key would ask on in the same way.
Result<void> check_cycle(const CallStack& stack, const InstanceName& target);

// `target`, asked at the end of `stack`, would close the circle.
Error cycle_error(const CallStack& stack, const InstanceName& target);

}  // namespace goondan::orchestrator
