// What there is to see of instances.
#include "orchestrator/instance.h"

namespace goondan::orchestrator {

InstanceView Instances::view(const InstanceName& name) const {
  const Instance* const found = find(name);
  if (found == nullptr) return {};
  return {.state = found->state,
          .in_backoff = found->state == InstanceState::Waiting && found->timer.pending(),
          .pid = found->process ? found->process->pid() : 0,
          .crashes = found->crashes,
          .turns = found->turns,
          .started_at = found->process ? found->started_at : std::string()};
}

std::vector<InstanceName> Instances::names() const {
  std::vector<InstanceName> names;
  for (const auto& [name, instance] : table_)
    names.push_back(name);
  return names;
}

std::vector<InstanceName> Instances::outdated(
    const std::function<std::string(const std::string& agent)>& fingerprint) const {
  std::vector<InstanceName> names;
  for (const auto& [name, instance] : table_) {
    const bool lives = instance->process && instance->state != InstanceState::Draining;
    if (lives && instance->fingerprint != fingerprint(name.agent)) names.push_back(name);
  }
  return names;
}

std::vector<InstanceName> Instances::running(std::string_view agent) const {
  std::vector<InstanceName> names;
  for (const auto& [name, instance] : table_) {
    if (name.agent == agent && (instance->process || instance->peer)) names.push_back(name);
  }
  return names;
}

std::size_t Instances::process_count() const {
  std::size_t count = 0;
  for (const auto& [name, instance] : table_)
    count += instance->process || instance->peer ? 1 : 0;
  return count;
}

bool Instances::spawning() const {
  return !spawns_.empty();
}

std::set<pid_t> Instances::pids() const {
  std::set<pid_t> pids;
  for (const auto& [name, instance] : table_) {
    if (instance->process) pids.insert(instance->process->pid());
  }
  return pids;
}

}  // namespace goondan::orchestrator
