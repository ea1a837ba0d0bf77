#include "orchestrator/wait_graph.h"

#include <map>
#include <string>
#include <vector>

#include "orchestrator/call_stack.h"

namespace goondan::orchestrator {
namespace {

// Those that the process of `name` waits for now.
std::vector<InstanceName> waited_for(Board& board, const InstanceName& name) {
  std::vector<InstanceName> targets;
  const Instance* instance = board.queues.find(name);
  if (instance == nullptr) return targets;
  for (const std::string& id : board.requests.asked_by(name)) {
    const Request* request = board.requests.find(id);
    if (request->async() || !instance->alive(request->caller)) continue;
    targets.push_back(request->target_name());
  }
  return targets;
}

// From `target` back to where the search began, outermost first.
CallStack chain_to(const std::map<InstanceName, InstanceName>& reached_from,
                   const InstanceName& sender, const InstanceName& last) {
  CallStack chain;
  for (InstanceName name = last; name != sender; name = reached_from.at(name)) {
    chain.insert(chain.begin(), name.text());
  }
  chain.insert(chain.begin(), sender.text());
  return chain;
}

}  // namespace

Result<void> check_waits(Board& board, const InstanceName& sender, const InstanceName& target) {
  std::map<InstanceName, InstanceName> reached_from{{target, sender}};
  std::vector<InstanceName> open{target};
  while (!open.empty()) {
    const InstanceName name = open.back();
    open.pop_back();
    for (const InstanceName& next : waited_for(board, name)) {
      if (next == sender) return cycle_error(chain_to(reached_from, sender, name), sender);
      if (reached_from.emplace(next, name).second) open.push_back(next);
    }
  }
  return {};
}

}  // namespace goondan::orchestrator
