#include "orchestrator/status.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <unistd.h>

namespace goondan::orchestrator {
namespace {

// With more instances than this, those without a process are only counted.
constexpr std::size_t kMaxListed = 2'000;

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

}  // namespace

Json status_json(const StatusParts& parts) {
  std::set<InstanceName> names;
  for (const store::InstanceRecord& record : parts.dispatcher.instances())
    names.insert({record.agent, record.instance_key});
  for (const InstanceName& name : parts.instances.names()) {
    if (parts.instances.view(name).state != InstanceState::Stopped) names.insert(name);
  }
  JsonArray agents;
  std::size_t queued = 0;
  std::size_t omitted = 0;
  for (const InstanceName& name : names) {
    queued += parts.dispatcher.queued(name);
    const bool stopped = parts.instances.view(name).state == InstanceState::Stopped;
    if (stopped && names.size() > kMaxListed) {
      ++omitted;
    } else {
      agents.push_back(agent_json(parts, name));
    }
  }
  return JsonObject{
      {"swarm", parts.swarm},   {"workspace", parts.workspace},
      {"pid", ::getpid()},      {"startedAt", parts.started_at},
      {"bundle", parts.bundle}, {"agents", std::move(agents)},
      {"queued", queued},       {"pendingHandles", pending_handles(parts.dispatcher)}};
}

std::size_t pending_handles(const Dispatcher& dispatcher) {
  const Result<std::vector<store::HandleRecord>> handles = dispatcher.handles();
  if (!handles.ok()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count(*handles, store::HandleState::Pending, &store::HandleRecord::state));
}

}  // namespace goondan::orchestrator
