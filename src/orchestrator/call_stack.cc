#include "orchestrator/call_stack.h"

#include <algorithm>

#include "base/json_fields.h"

namespace goondan::orchestrator {

std::string_view agent_of(std::string_view instance) {
  return instance.substr(0, instance.find('@'));
}

CallStack call_stack_from(const JsonObject& turn_message) {
  CallStack stack;
  const JsonArray* names = array_field(turn_message, "callStack");
  if (names == nullptr) return stack;
  for (const Json& name : *names) {
    if (name.is_string()) stack.emplace_back(name.get_string());
  }
  return stack;
}

JsonArray call_stack_json(const CallStack& stack) {
  JsonArray names;
  for (const std::string& name : stack)
    names.emplace_back(name);
  return names;
}

Result<void> check_cycle(const CallStack& stack, const InstanceName& target) {
  const bool waits = std::ranges::any_of(
      stack, [&target](const std::string& one) { return agent_of(one) == target.agent; });
  if (waits) return cycle_error(stack, target);
  return {};
}

Error cycle_error(const CallStack& stack, const InstanceName& target) {
  std::string chain;
  for (const std::string& one : stack)
    chain += one + " -> ";
  return {.code = ErrorCode::AgentCycle,
          .message = "this request would wait in a circle: " + chain + target.text(),
          .suggestion =
              "Answer with what you know, ask an agent that is not in this chain, or "
              "tell it with agents__send, which does not wait."};
}

}  // namespace goondan::orchestrator
