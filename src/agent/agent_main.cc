#include "agent/agent_main.h"

namespace goondan::agent {

int run_agent(AgentStart) {
  return 1;
}

}  // namespace goondan::agent
