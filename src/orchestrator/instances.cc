// What is asked of instances; `instance_events.cc` has what happens to them, `instance_views.cc`
// what there is to see.
#include "orchestrator/instances.h"

#include "base/json_fields.h"
#include "ipc/frame_io.h"
#include "orchestrator/instance.h"

namespace goondan::orchestrator {
namespace {

// For another try if descriptors have run out, and how often.
constexpr std::chrono::seconds kSocketRetry{1};
constexpr int kMaxSocketTries = 5;

std::string_view reason_text(DrainReason reason) {
  switch (reason) {
    case DrainReason::Restart:
      return "restart";
    case DrainReason::ConfigChange:
      return "config_change";
    case DrainReason::Shutdown:
      break;
  }
  return "orchestrator_shutdown";
}

// Something that begins a turn.
bool is_new_work(const ipc::Message& message) {
  if (message.type == ipc::MessageType::Delegate) return true;
  return message.type == ipc::MessageType::Event &&
         text_field(object_or_empty(message.payload), "kind") == "turn";
}

}  // namespace

Instances::Instances(Loop& loop, Spawner& spawner, InstancesListener& listener)
    : loop_(loop), spawner_(spawner), listener_(listener) {}

Instances::~Instances() = default;

Instances::Instance& Instances::instance(const InstanceName& name) {
  std::unique_ptr<Instance>& slot = table_[name];
  if (!slot) slot = std::make_unique<Instance>(name);
  return *slot;
}

Instances::Instance* Instances::find(const InstanceName& name) const {
  const auto found = table_.find(name);
  return found == table_.end() ? nullptr : found->second.get();
}

void Instances::want(const InstanceName& name, const std::string& cwd) {
  Instance& wanted = instance(name);
  if (!cwd.empty()) wanted.cwd = cwd;
  if (wanted.ending || wanted.state == InstanceState::Draining) {
    wanted.wanted = true;
  } else if (wanted.state == InstanceState::Stopped) {
    start_when_allowed(wanted);
  }
}

void Instances::start_when_allowed(Instance& instance) {
  if (allowed_ == Spawning::Stopped) return;
  if (Clock::now() < instance.not_before) return wait_for(instance, instance.not_before);
  if (process_count() >= kMaxProcesses) {
    return refuse(instance, std::to_string(kMaxProcesses) + " instances run already");
  }
  start(instance);
}

void Instances::refuse(const Instance& instance, const std::string& why) {
  const Error error{
      .code = ErrorCode::Limit,
      .message = "agent '" + instance.name.agent + "' cannot be started: " + why,
      .suggestion =
          "Delete instances that are not needed (`gdn instance delete`), or raise the "
          "limit of open files (`ulimit -n`)."};
  loop_.defer(
      [this, name = instance.name, error] { listener_.on_agent_start_failed(name, error); });
}

void Instances::wait_for(Instance& instance, Deadline when) {
  instance.state = InstanceState::Waiting;
  instance.timer = loop_.at(when, [this, &instance] { start(instance); });
}

void Instances::start(Instance& instance) {
  if (allowed_ == Spawning::Stopped) {
    instance.state = InstanceState::Stopped;
    return;
  }
  instance.state = InstanceState::Waiting;
  Result<std::pair<os::UniqueFd, os::UniqueFd>> sockets = ipc::make_socket_pair();
  if (!sockets.ok()) return retry_socket(instance, sockets.error());
  instance.socket_tries = 0;
  std::optional<SpawnTicket> ticket =
      spawner_.spawn(instance.name, instance.cwd, std::move(sockets->second));
  if (!ticket) return;
  instance.state = InstanceState::Spawning;
  instance.told = false;
  instance.start_error.reset();
  instance.spawn = ticket->spawn;
  instance.link = ticket->link;
  instance.fingerprint = std::move(ticket->fingerprint);
  instance.peer = std::make_unique<ipc::Peer>(std::move(sockets->first));
  spawns_[instance.spawn] = &instance;
}

void Instances::retry_socket(Instance& instance, const Error& error) {
  if (++instance.socket_tries < kMaxSocketTries) {
    return wait_for(instance, Clock::now() + kSocketRetry);
  }
  instance.socket_tries = 0;
  instance.state = InstanceState::Stopped;
  refuse(instance, error.message);
}

void Instances::deliver(const InstanceName& name, const ipc::Message& message) {
  Instance* const target = find(name);
  if (target == nullptr || !target->peer) return;
  const bool takes = target->state == InstanceState::Ready ||
                     (target->state == InstanceState::Draining && !is_new_work(message));
  if (!takes) return;
  // One that leaves megabytes unread hangs; what it was to do is done by its successor.
  if (!target->peer->send(message).ok() && target->process) target->process->kill();
  target->socket_watch.want(static_cast<std::uint32_t>(target->peer->events()));
}

void Instances::good_turn(const InstanceName& name) {
  Instance* const done = find(name);
  if (done == nullptr) return;
  ++done->turns;
  done->backoff.reset();
  done->not_before = {};
}

void Instances::drain(const InstanceName& name, std::chrono::milliseconds grace, DrainReason reason,
                      std::function<void()> after) {
  Instance& target = instance(name);
  if (after) target.after_end.push_back(std::move(after));
  switch (target.state) {
    case InstanceState::Stopped:
    case InstanceState::Waiting:
      return end_later(target);
    case InstanceState::Spawning:
      forget_spawn(target);
      target.state = InstanceState::Stopped;
      target.wanted = true;
      return end_later(target);
    case InstanceState::Starting:
      // Nothing runs in it yet; whoever waits for it gets another.
      target.wanted = target.told = true;
      return target.process->kill();
    case InstanceState::Ready:
    case InstanceState::Draining:
      return tell_to_end(target, grace, reason);
  }
}

void Instances::tell_to_end(Instance& instance, std::chrono::milliseconds grace,
                            DrainReason reason) {
  instance.told = true;
  instance.state = InstanceState::Draining;
  instance.timer =
      loop_.at(Clock::now() + grace + kExitTime, [&instance] { instance.process->kill(); });
  const ipc::Message message{
      .type = ipc::MessageType::Shutdown,
      .from = "orchestrator",
      .to = instance.name.text(),
      .payload = JsonObject{{"gracePeriodMs", grace.count()}, {"reason", reason_text(reason)}}};
  if (!instance.peer->send(message).ok()) instance.process->kill();
  instance.socket_watch.want(static_cast<std::uint32_t>(instance.peer->events()));
}

void Instances::forget_spawn(Instance& instance) {
  spawns_.erase(instance.spawn);
  instance.peer.reset();  // the process, if it comes, finds its socket closed
}

// There is no process: what waits for its end is called from the loop all the same.
void Instances::end_later(const Instance& instance) {
  loop_.defer([this, name = instance.name] {
    Instance* const ended = find(name);
    if (ended == nullptr || ended->process || ended->state == InstanceState::Spawning) return;
    run_after_end(*ended);
  });
}

void Instances::drain_all(std::chrono::milliseconds grace, DrainReason reason) {
  for (const auto& [name, instance] : table_) {
    if (instance->process || instance->state == InstanceState::Spawning) drain(name, grace, reason);
  }
}

void Instances::kill_all() {
  for (const auto& [name, instance] : table_) {
    if (instance->state == InstanceState::Spawning) drain(name, {}, DrainReason::Shutdown);
    if (instance->process) instance->process->kill();
  }
}

void Instances::forget(const InstanceName& name) {
  Instance* const gone = find(name);
  if (gone == nullptr) return;
  gone->wanted = false;
  if (gone->state == InstanceState::Waiting) {
    gone->timer.cancel();
    gone->state = InstanceState::Stopped;
  }
  // Not now: this may be called from what waited for its end.
  loop_.defer([this, name] { erase_unused(name); });
}

void Instances::erase_unused(const InstanceName& name) {
  const Instance* const gone = find(name);
  if (gone == nullptr || gone->state != InstanceState::Stopped) return;
  if (!gone->process && !gone->wanted && gone->after_end.empty()) table_.erase(name);
}

}  // namespace goondan::orchestrator
