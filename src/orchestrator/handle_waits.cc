// The end of handles, and those who wait for it.
#include <algorithm>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/handles.h"
#include "orchestrator/payloads.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

using std::chrono::milliseconds;
using store::HandleState;

InstanceName owner_of(const store::HandleRecord& handle) {
  return {handle.agent, handle.instance_key};
}

}  // namespace

Result<Json> Handles::close(store::HandleRecord handle, Suppress owner_knows) {
  handle.completed_at = iso_now();
  std::optional<store::JournalMessage> injection;
  const bool told = owner_knows == Suppress::Yes || owner_waits(handle);
  if (!told && in_swarm(board_.swarm, handle.agent)) injection = handle_injection(handle);
  GDN_TRY(board_.journal.close_handle(handle, injection));
  const bool cancelled = handle.state == HandleState::Cancelled;
  observe(cancelled ? "handle.cancelled" : "handle.completed", handle);
  answer_waits(handle);
  if (injection) {
    deliveries_.enqueue(*injection);
    deliveries_.pump_later(owner_of(handle));
  }
  return handle_json(handle);
}

Result<std::optional<Json>> Handles::wait(const Asker& asker, const JsonObject& params) {
  const store::HandleRecord handle = GDN_TRY(find(params));
  const std::int64_t given = integer_field(params, "timeoutMs").value_or(kDefaultWait.count());
  if (handle.state != HandleState::Pending || given <= 0) {
    return std::optional<Json>(handle_json(handle));
  }
  if (waits_.size() >= kMaxWaits) {
    return Error{.code = ErrorCode::Limit,
                 .message = std::to_string(kMaxWaits) + " calls wait for handles already",
                 .suggestion = "Go on with something else; the result will be told."};
  }
  const milliseconds time = std::min(milliseconds(given), kMaxWait);
  const std::uint64_t number = ++last_wait_;
  const Timers::Id timer =
      board_.timers.add(Clock::now() + time, {.kind = TimerKind::Wait, .number = number});
  waits_.emplace(
      number,
      Wait{.asker = asker, .handle = handle.handle, .owner = owner_of(handle), .timer = timer});
  return std::optional<Json>();
}

bool Handles::owner_waits(const store::HandleRecord& handle) const {
  const InstanceName owner = owner_of(handle);
  const Instance* instance = board_.queues.find(owner);
  if (instance == nullptr) return false;
  return std::ranges::any_of(waits_, [&](const auto& one) {
    const Wait& wait = one.second;
    return wait.handle == handle.handle && wait.asker.agent == owner &&
           instance->alive(wait.asker.generation);
  });
}

void Handles::answer_waits(const store::HandleRecord& handle) {
  std::erase_if(waits_, [&](const auto& one) {
    const Wait& wait = one.second;
    if (wait.handle != handle.handle) return false;
    board_.timers.cancel(wait.timer);
    answer(wait.asker, handle_json(handle));
    return true;
  });
}

// The wait is over and the handle is not: its state as it is.
void Handles::answer_pending(const Wait& wait) {
  board_.timers.cancel(wait.timer);
  Result<store::HandleRecord> handle = find({{"handle", wait.handle}});
  if (handle.ok()) {
    answer(wait.asker, handle_json(*handle));
  } else {
    answer(wait.asker, std::move(handle).error());
  }
}

void Handles::on_timeout(std::uint64_t number) {
  const auto found = waits_.find(number);
  if (found == waits_.end()) return;
  answer_pending(found->second);
  waits_.erase(found);
}

void Handles::end_waits(const InstanceName& name) {
  std::erase_if(waits_, [&](const auto& one) {
    if (one.second.asker.agent != name) return false;
    answer_pending(one.second);
    return true;
  });
}

void Handles::on_client_gone(std::uint64_t client) {
  std::erase_if(waits_, [&](const auto& one) {
    const Wait& wait = one.second;
    if (wait.asker.agent || wait.asker.client != client) return false;
    board_.timers.cancel(wait.timer);
    return true;
  });
}

void Handles::forget(const InstanceName& name) {
  std::erase_if(waits_, [&](const auto& one) {
    if (one.second.owner != name) return false;
    answer_pending(one.second);  // not found
    return true;
  });
}

void Handles::observe(std::string_view type, const store::HandleRecord& handle) {
  JsonObject observation{{"type", type},
                         {"agentName", handle.agent},
                         {"instanceKey", handle.instance_key},
                         {"traceId", handle.trace_id}};
  const Json summary = handle_summary(handle);
  for (const auto& member : summary.get_object())
    observation.insert(member);
  board_.out.observe(std::move(observation));
}

}  // namespace goondan::orchestrator
