#include "orchestrator/status.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <unistd.h>

namespace goondan::orchestrator {
namespace {

// With more instances than this, those without a process are only counted.
constexpr std::size_t kMaxListed = 2'000;
constexpr std::size_t kMaxAgentsBytes = ipc::kMaxMessageBytes / 4 * 3;

std::string_view state_text(const InstanceView& view, const Dispatcher& dispatcher,
                            const InstanceName& name) {
  switch (view.state) {
    case InstanceState::Stopped:
      return "stopped";
    case InstanceState::Waiting:
      return view.in_backoff ? "backoff" : "spawning";
    case InstanceState::Spawning:
    case InstanceState::Starting:
      return "spawning";
    case InstanceState::Ready:
      return dispatcher.working(name) ? "working" : "idle";
    case InstanceState::Draining:
      break;
  }
  return "draining";
}

std::int64_t resident_bytes(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  return in >> total >> resident ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

Json agent_json(const StatusParts& parts, const InstanceName& name) {
  const InstanceView view = parts.instances.view(name);
  JsonObject agent{{"agent", name.agent},
                   {"instanceKey", name.key},
                   {"pid", view.pid == 0 ? Json(nullptr) : Json(view.pid)},
                   {"state", state_text(view, parts.dispatcher, name)},
                   {"queued", parts.dispatcher.queued(name)},
                   {"crashes", view.crashes},
                   {"startedAt", view.started_at.empty() ? Json(nullptr) : Json(view.started_at)},
                   {"turns", view.turns}};
  agent["rssBytes"] = view.pid == 0 ? Json(nullptr) : Json(resident_bytes(view.pid));
  return agent;
}

std::set<InstanceName> names_of(const StatusParts& parts) {
  std::set<InstanceName> names;
  for (const store::InstanceRecord& record : parts.dispatcher.instances())
    names.insert({record.agent, record.instance_key});
  for (const InstanceName& name : parts.instances.names()) {
    if (parts.instances.view(name).state != InstanceState::Stopped) names.insert(name);
  }
  return names;
}

// As many as a message can hold.
struct AgentList {
  AgentList(const StatusParts& the_parts, std::size_t count)
      : parts(the_parts), only_processes(count > kMaxListed) {}

  void add(const InstanceName& name) {
    const bool stopped = parts.instances.view(name).state == InstanceState::Stopped;
    if (bytes > kMaxAgentsBytes || (stopped && only_processes)) {
      ++omitted;
      return;
    }
    Json agent = agent_json(parts, name);
    bytes += to_text(agent).size();
    agents.push_back(std::move(agent));
  }

  const StatusParts& parts;
  bool only_processes;
  JsonArray agents = {};
  std::size_t bytes = 0;
  std::size_t omitted = 0;
};

}  // namespace

Json status_json(const StatusParts& parts) {
  const std::set<InstanceName> names = names_of(parts);
  AgentList list(parts, names.size());
  std::size_t queued = 0;
  for (const InstanceName& name : names) {
    queued += parts.dispatcher.queued(name);
    list.add(name);
  }
  JsonObject status{
      {"swarm", parts.swarm},   {"workspace", parts.workspace},
      {"pid", ::getpid()},      {"startedAt", parts.started_at},
      {"bundle", parts.bundle}, {"agents", std::move(list.agents)},
      {"queued", queued},       {"pendingHandles", parts.dispatcher.pending_handles()}};
  if (list.omitted > 0) status["omitted"] = list.omitted;
  return status;
}

}  // namespace goondan::orchestrator
