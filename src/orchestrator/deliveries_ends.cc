// How turns end, and how processes do.
#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "orchestrator/deliveries.h"
#include "orchestrator/payloads.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

using store::MessageKind;

Error crash_error(const InstanceName& name) {
  return {.code = ErrorCode::AgentCrash,
          .message = "agent " + name.text() + " died " + std::to_string(kMaxAttempts) +
                     " times while it worked on this message",
          .suggestion = "Look at its last words with: gdn logs --agent " + name.agent};
}

}  // namespace

void Deliveries::on_ready(Instance& instance) {
  leave(instance);
  instance.presence = Presence::Ready;
  ++instance.generation;
  instance.unstartable = false;
  pump(instance);
}

// The process is gone: what it had is to be delivered again. A result that only the journal has not
// taken yet is not lost by that.
void Deliveries::leave(Instance& instance) {
  instance.presence = Presence::Absent;
  if (instance.current && !instance.closing) {
    Entry entry = *std::exchange(instance.current, {});
    board_.queues.push_front(instance, std::move(entry));
  }
  instance.trace_id.clear();
  instance.call_stack.clear();
  board_.queues.recount(instance);
}

void Deliveries::on_exit(Instance& instance, Dispatcher::Ending ending) {
  if (ending == Dispatcher::Ending::Crashed) blame(instance);
  leave(instance);
  pump(instance);
}

// Counts a death against what the process had, or against what it was started for.
void Deliveries::blame(Instance& instance) {
  const bool never_ready = instance.presence == Presence::Absent;
  if (instance.current) {
    if (instance.closing) return;
    if (++instance.current->crashes >= kMaxAttempts) {
      close(instance, failed_outcome(crash_error(instance.name)));
    }
    return;
  }
  if (never_ready && !instance.waiting.empty()) {
    Entry& first = instance.waiting.front();
    if (++first.crashes < kMaxAttempts) return;
    instance.current = board_.queues.take(instance, 0);
    close(instance, failed_outcome(crash_error(instance.name)));
    return;
  }
  for (Entry& entry : instance.injections) {
    if (never_ready || entry.delivered == instance.generation) ++entry.crashes;
  }
  std::erase_if(instance.injections, [this, &instance](const Entry& entry) {
    if (entry.crashes < kMaxInjectionAttempts) return false;
    board_.out.problem(instance.name, entry.message.id, crash_error(instance.name));
    // Should the journal not take it, a restart tries it again.
    return board_.journal.finish(entry.message.id, {}, {}).ok();
  });
}

void Deliveries::on_start_failed(Instance& instance, const Error& error) {
  leave(instance);
  instance.unstartable = true;
  answer_all(instance, error);
  pump(instance);
}

void Deliveries::answer_all(Instance& instance, const Error& error) {
  instance.doom = error;
  drain_doomed(instance);
}

void Deliveries::drain_doomed(Instance& instance) {
  while (instance.doom && !instance.current && !instance.waiting.empty()) {
    instance.current = board_.queues.take(instance, 0);
    if (!close(instance, failed_outcome(*instance.doom))) return;
  }
  if (instance.waiting.empty()) instance.doom.reset();
}

void Deliveries::give_up_injections(Instance& instance) {
  while (!instance.injections.empty()) {
    const std::string& id = instance.injections.front().message.id;
    const Result<void> done = board_.journal.finish(id, {}, {});
    if (!done.ok()) return retry_later(instance, id, done.error());
    board_.out.problem(instance.name, id, check_agent(board_.swarm, instance.name.agent).error());
    instance.injections.pop_front();
  }
}

void Deliveries::on_done(Instance& instance, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  const std::string id = text_field(payload, "id");
  const bool current = instance.working() && instance.current->message.id == id;
  const bool other_request = current && !message.correlation_id.empty() &&
                             message.correlation_id != instance.current->message.correlation_id;
  if (!current || other_request) {
    return board_.out.problem(
        instance.name, id,
        {.code = ErrorCode::Ipc,
         .message = instance.name.text() + " ended a turn that it was not working on; ignored"});
  }
  Outcome outcome = outcome_from(payload);
  if (outcome.status == Outcome::Status::Interrupted) {
    leave(instance);
    instance.presence = Presence::Leaving;
    return pump(instance);
  }
  const bool good = outcome.status == Outcome::Status::Ok;
  if (good && !std::exchange(instance.good_turn, true)) good_turns_.push_back(instance.name);
  close(instance, std::move(outcome));
  pump(instance);
}

void Deliveries::on_injected(Instance& instance, std::string_view id) {
  const auto found = std::ranges::find_if(instance.injections, [&](const Entry& entry) {
    return entry.message.id == id && entry.delivered == instance.generation;
  });
  if (found == instance.injections.end()) return;  // told twice: a process before had told it
  found->acknowledged = true;
  acknowledge(instance);
  board_.queues.recount(instance);
}

// Tells the journal of injections that the agent has.
void Deliveries::acknowledge(Instance& instance) {
  for (auto entry = instance.injections.begin(); entry != instance.injections.end();) {
    if (!entry->acknowledged) {
      ++entry;
      continue;
    }
    const Result<void> done = board_.journal.finish(entry->message.id, {}, {});
    if (!done.ok()) return retry_later(instance, entry->message.id, done.error());
    entry = instance.injections.erase(entry);
  }
}

}  // namespace goondan::orchestrator
