// What happens to the processes of instances.
#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/instance.h"

namespace goondan::orchestrator {
namespace {

// Reads of what a dead process has left in its socket; each takes megabytes.
constexpr int kMaxLastReads = 16;

Error gave_up(const InstanceName& name, int times, const std::string& how) {
  return {.code = ErrorCode::AgentStart,
          .message = "agent '" + name.agent + "' ended " + std::to_string(times) +
                     " times before it was ready, the last time with " + how,
          .suggestion = "Look at what it printed with `gdn logs`."};
}

}  // namespace

void Instances::on_spawned(std::uint64_t spawn, pid_t pid) {
  const auto found = spawns_.find(spawn);
  if (found != spawns_.end()) {
    Instance& instance = *found->second;
    spawns_.erase(found);
    return on_process(instance, pid);
  }
  // Nobody wants it any more. It is reaped as an orphan.
  if (Result<AdoptedProcess> unwanted = AdoptedProcess::open(pid); unwanted.ok()) unwanted->kill();
}

void Instances::on_process(Instance& instance, pid_t pid) {
  Result<AdoptedProcess> process = AdoptedProcess::open(pid);
  if (!process.ok()) return finish(instance, "unknown status");
  instance.process = *std::move(process);
  instance.state = InstanceState::Starting;
  instance.started_at = iso_now();
  instance.timer = loop_.at(Clock::now() + kReadyTime, [&instance] { instance.process->kill(); });
  observe(instance, "agent.spawned", {{"pid", pid}});
  if (watch(instance).ok()) return;
  instance.process->kill();
  finish(instance, "no descriptor to watch it with");
}

Result<void> Instances::watch(Instance& instance) {
  instance.process_watch = GDN_TRY(loop_.watch(
      instance.process->pidfd(), EPOLLIN, [this, &instance](auto) { on_process_end(instance); }));
  instance.socket_watch =
      GDN_TRY(loop_.watch(instance.peer->fd(), EPOLLIN, [this, &instance](std::uint32_t events) {
        on_socket(instance, events);
      }));
  return {};
}

void Instances::on_spawn_failed(std::uint64_t spawn, const Error& error) {
  const auto found = spawns_.find(spawn);
  if (found == spawns_.end()) return;
  Instance& instance = *found->second;
  spawns_.erase(found);
  finish(instance, error.message);
}

void Instances::on_link_gone(std::uint64_t link) {
  std::erase_if(spawns_, [link](const auto& entry) {
    Instance& instance = *entry.second;
    if (instance.link != link) return false;
    instance.peer.reset();
    instance.state = InstanceState::Waiting;
    return true;
  });
}

void Instances::retry_waiting() {
  for (const auto& [name, instance] : table_) {
    if (instance->state == InstanceState::Waiting && !instance->timer.pending()) start(*instance);
  }
}

void Instances::fail_waiting(const Error& error) {
  std::vector<InstanceName> failed;
  for (const auto& [name, instance] : table_) {
    if (instance->state != InstanceState::Waiting || instance->timer.pending()) continue;
    instance->state = InstanceState::Stopped;
    failed.push_back(name);
  }
  for (const InstanceName& name : failed)
    listener_.on_agent_start_failed(name, error);
}

void Instances::on_socket(Instance& instance, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0 && !instance.peer->flush().ok()) return on_socket_end(instance);
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0 && !receive(instance).ok()) {
    return on_socket_end(instance);
  }
  instance.socket_watch.want(static_cast<std::uint32_t>(instance.peer->events()));
}

Result<void> Instances::receive(Instance& instance) {
  std::vector<ipc::Message> messages;
  Result<void> received = instance.peer->receive(messages);
  for (const ipc::Message& message : messages)
    on_message(instance, message);
  return received;
}

void Instances::on_message(Instance& instance, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  const bool event = message.type == ipc::MessageType::Event;
  const std::string kind = event ? text_field(payload, "kind") : std::string();
  if (kind == "ready") return on_ready(instance);
  if (message.type == ipc::MessageType::ShutdownAck) return;
  if (kind != "start_failed") return listener_.on_agent_message(instance.name, message);
  if (instance.state != InstanceState::Starting) return;
  instance.start_error = error_from(any_field(payload, "error"));
  instance.timer = loop_.at(Clock::now() + kExitTime, [&instance] { instance.process->kill(); });
}

void Instances::on_ready(Instance& instance) {
  if (instance.state != InstanceState::Starting || instance.told) return;
  instance.state = InstanceState::Ready;
  instance.timer.cancel();
  instance.start_crashes = 0;
  observe(instance, "agent.ready", {{"pid", instance.process->pid()}});
  listener_.on_agent_ready(instance.name);
}

// A process without its socket is of no use; one that is ending anyway may do so by itself.
void Instances::on_socket_end(Instance& instance) {
  instance.socket_watch.end();
  if (!instance.told && !instance.start_error) return instance.process->kill();
  instance.timer = loop_.at(Clock::now() + kExitTime, [&instance] { instance.process->kill(); });
}

void Instances::on_process_end(Instance& instance) {
  const std::optional<os::ExitStatus> status = instance.process->ended();
  if (!status) return;
  for (int i = 0; i < kMaxLastReads; ++i) {
    if (!receive(instance).ok()) break;
  }
  finish(instance, status->text());
}

void Instances::finish(Instance& instance, const std::string& how) {
  const pid_t pid = instance.process ? instance.process->pid() : 0;
  instance.process_watch.end();
  instance.socket_watch.end();
  instance.timer.cancel();
  instance.process.reset();
  instance.peer.reset();
  const bool expected = instance.told || instance.start_error;
  observe(instance, "agent.exited", {{"pid", pid}, {"how", how}, {"expected", expected}});
  instance.ending = true;
  tell_end(instance, how);
  instance.ending = false;
  instance.state = InstanceState::Stopped;
  run_after_end(instance);
}

void Instances::tell_end(Instance& instance, const std::string& how) {
  if (instance.start_error) {
    const Error error = *std::exchange(instance.start_error, std::nullopt);
    return listener_.on_agent_start_failed(instance.name, error);
  }
  if (instance.told) return listener_.on_agent_exit(instance.name, Dispatcher::Ending::Expected);
  count_crash(instance);
  if (instance.start_crashes < kMaxStartCrashes) {
    return listener_.on_agent_exit(instance.name, Dispatcher::Ending::Crashed);
  }
  const Error error = gave_up(instance.name, std::exchange(instance.start_crashes, 0), how);
  listener_.on_agent_start_failed(instance.name, error);
}

void Instances::count_crash(Instance& instance) {
  ++instance.crashes;
  if (instance.state != InstanceState::Ready) ++instance.start_crashes;
  const std::chrono::milliseconds wait = instance.backoff.crashed();
  if (wait.count() == 0) return;
  instance.not_before = Clock::now() + wait;
  observe(instance, "agent.backoff",
          {{"crashes", instance.backoff.crashes()}, {"waitMs", wait.count()}});
}

void Instances::run_after_end(Instance& instance) {
  for (const std::function<void()>& after : std::exchange(instance.after_end, {}))
    after();
  if (!std::exchange(instance.wanted, false)) return;
  if (instance.state == InstanceState::Stopped) start_when_allowed(instance);
}

void Instances::observe(const Instance& instance, std::string_view type, JsonObject fields) {
  JsonObject observation{
      {"type", type}, {"agentName", instance.name.agent}, {"instanceKey", instance.name.key}};
  for (auto& [key, value] : fields)
    observation[key] = std::move(value);
  listener_.on_agent_observed(std::move(observation));
}

}  // namespace goondan::orchestrator
