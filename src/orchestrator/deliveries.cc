#include "orchestrator/deliveries.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json_fields.h"
#include "orchestrator/call_stack.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

using store::MessageKind;

}  // namespace

void Deliveries::enqueue(const store::JournalMessage& message) {
  board_.queues.push(board_.queues.at({message.agent, message.instance_key}), message);
}

void Deliveries::pump(Instance& instance) {
  const Result<void> there = check_agent(board_.swarm, instance.name.agent);
  // Looked at each time: what an agent that was removed had not finished comes back later.
  if (!there.ok()) instance.doom = there.error();
  drain_doomed(instance);
  if (!there.ok()) {
    give_up_injections(instance);
  } else if (instance.presence == Presence::Absent) {
    if (wanted(instance)) board_.out.want(instance);
  } else {
    acknowledge(instance);
    if (instance.presence == Presence::Ready) {
      inject(instance);
      start_next(instance);
    }
  }
  board_.queues.recount(instance);
}

void Deliveries::pump_all() {
  for (auto& [name, instance] : board_.queues.all())
    pump(instance);
}

void Deliveries::pump_due() {
  while (!due_.empty()) {
    for (const InstanceName& name : std::exchange(due_, {})) {
      if (Instance* instance = board_.queues.find(name)) pump(*instance);
    }
  }
}

// While the runtime is being stopped, only what a turn that runs waits for.
bool Deliveries::deliverable(const Entry& entry) {
  if (!board_.quiesced) return true;
  if (entry.message.kind != MessageKind::Delegate) return false;
  const Request* request = board_.requests.find(entry.message.correlation_id);
  if (request == nullptr) return false;
  const Instance* caller = board_.queues.find(request->caller_name());
  return caller != nullptr && caller->working() && caller->alive(request->caller);
}

bool Deliveries::wanted(const Instance& instance) {
  if (instance.unstartable || instance.current) return false;
  const auto can = [this](const Entry& entry) { return deliverable(entry); };
  if (std::ranges::any_of(instance.waiting, can)) return true;
  return !board_.quiesced && !instance.injections.empty();
}

void Deliveries::start_next(Instance& instance) {
  if (instance.current || instance.retry) return;
  const auto can = [this](const Entry& entry) { return deliverable(entry); };
  const auto next = std::ranges::find_if(instance.waiting, can);
  if (next == instance.waiting.end()) return;
  // The first delivery is not written down: nobody needs to know of it but us, and most are the
  // last.
  const bool again = next->message.attempts > 0;
  const Result<void> counted =
      again ? board_.journal.count_attempt(next->message.id) : Result<void>();
  if (!counted.ok()) {
    retry_later(instance, next->message.id, counted.error());
    return;
  }
  const auto index = static_cast<std::size_t>(next - instance.waiting.begin());
  instance.current = board_.queues.take(instance, index);
  ++instance.current->message.attempts;
  Result<Json> payload = parse_json(instance.current->message.payload);
  if (!payload.ok() || !payload->is_object()) {
    close(instance, failed_outcome({.code = ErrorCode::StoreCorrupt,
                                    .message = "message " + instance.current->message.id +
                                               " cannot be read from the journal"}));
    pump_later(instance.name);
    return;
  }
  start(instance, std::move(payload->get_object()));
}

void Deliveries::start(Instance& instance, JsonObject payload) {
  const store::JournalMessage& message = instance.current->message;
  instance.retries = 0;
  instance.trace_id = text_field(payload, "traceId");
  instance.call_stack = call_stack_from(payload);
  payload["attempt"] = message.attempts;
  if (message.kind == MessageKind::Turn) {
    payload["kind"] = "turn";
    board_.out.deliver_event(instance, std::move(payload));
    return;
  }
  std::string from = instance.call_stack.empty() ? "orchestrator" : instance.call_stack.back();
  board_.out.deliver(instance, {.type = ipc::MessageType::Delegate,
                                .from = std::move(from),
                                .to = instance.name.text(),
                                .payload = std::move(payload),
                                .correlation_id = message.correlation_id});
}

// An injection may begin a turn; while the runtime is being stopped only turns that run get one.
void Deliveries::inject(Instance& instance) {
  if (board_.quiesced && !instance.working()) return;
  for (Entry& entry : instance.injections) {
    if (entry.delivered == instance.generation || entry.acknowledged) continue;
    entry.delivered = instance.generation;
    Result<Json> payload = parse_json(entry.message.payload);
    if (!payload.ok() || !payload->is_object()) {
      entry.acknowledged = true;  // nobody can read it: the next `acknowledge` removes it
      continue;
    }
    JsonObject event = std::move(payload->get_object());
    event["kind"] = "inject";
    board_.out.deliver_event(instance, std::move(event));
  }
}

std::vector<InstanceName> Deliveries::take_good_turns() {
  for (const InstanceName& name : good_turns_) {
    if (Instance* instance = board_.queues.find(name)) instance->good_turn = false;
  }
  return std::exchange(good_turns_, {});
}

}  // namespace goondan::orchestrator
