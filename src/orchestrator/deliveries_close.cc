// From the end of a message to its answer.
#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "orchestrator/deliveries.h"
#include "orchestrator/payloads.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {

bool Deliveries::close(Instance& instance, Outcome outcome) {
  instance.closing = std::move(outcome);
  return try_close(instance);
}

bool Deliveries::try_close(Instance& instance) {
  const Result<void> settled = settle(*instance.current, *instance.closing);
  if (!settled.ok()) {
    retry_later(instance, instance.current->message.id, settled.error());
    board_.queues.recount(instance);
    return false;
  }
  const Entry entry = *std::exchange(instance.current, {});
  const Outcome outcome = *std::exchange(instance.closing, {});
  instance.retries = 0;
  observe_end(instance, entry, outcome);
  board_.queues.recount(instance);
  return true;
}

// Journal first, then memory, then the answer: nobody is told what a crash could take back.
Result<void> Deliveries::settle(const Entry& entry, const Outcome& outcome) {
  const store::JournalMessage& message = entry.message;
  Request* request =
      message.correlation_id.empty() ? nullptr : board_.requests.find(message.correlation_id);
  if (request != nullptr && request->record.event_id != message.id) request = nullptr;
  if (request == nullptr) {
    // No correlation id: should another request have come to have the same, it is left alone.
    return board_.journal.finish(message.id, {}, {});
  }
  std::optional<store::JournalMessage> injection;
  if (request->async() && in_swarm(board_.swarm, request->record.caller_agent)) {
    injection = answer_injection(*request, status_name(outcome.status), outcome);
  }
  GDN_TRY(board_.journal.finish(message.id, message.correlation_id, injection));
  answer(*request, outcome);
  if (injection) enqueue(*injection);
  Instance* caller = board_.queues.find(request->caller_name());
  if (caller != nullptr && request->async() && caller->async_requests > 0) --caller->async_requests;
  board_.timers.cancel(request->timer);
  board_.requests.erase(message.correlation_id);
  if (injection) pump_later({injection->agent, injection->instance_key});
  return {};
}

void Deliveries::answer(const Request& request, const Outcome& outcome) {
  const store::RequestRecord& record = request.record;
  const Instance* caller = board_.queues.find(request.caller_name());
  if (!request.async() && caller != nullptr && caller->alive(request.caller)) {
    board_.out.deliver(*caller, answer_message(request, outcome));
  }
  board_.out.observe({{"type", "delegate.answered"},
                      {"agentName", record.caller_agent},
                      {"instanceKey", record.caller_instance_key},
                      {"traceId", record.trace_id},
                      {"from", request.caller_name().text()},
                      {"to", request.target_name().text()},
                      {"correlationId", record.correlation_id},
                      {"status", status_name(outcome.status)}});
}

// The one end of the message. The agent tells of its turns itself, perhaps twice or, if it dies at
// the wrong moment, not at all; what was given up without it is told as a failed turn as well.
void Deliveries::observe_end(const Instance& instance, const Entry& entry, const Outcome& outcome) {
  const Result<Json> read = parse_json(entry.message.payload);
  const Json turn = read.ok() ? *read : Json(nullptr);
  JsonObject observation{
      {"type", "message.finished"},       {"agentName", instance.name.agent},
      {"instanceKey", instance.name.key}, {"traceId", text_field(object_or_empty(turn), "traceId")},
      {"id", entry.message.id},           {"status", status_name(outcome.status)}};
  const bool ok = outcome.status == Outcome::Status::Ok;
  observation[ok ? "response" : "error"] = ok ? outcome.response : outcome.error;
  if (ok && to_text(observation).size() > kMaxPayloadBytes) {
    observation["response"] = cut_text(response_text(outcome), kMaxCutAnswerBytes / 4);
  }
  if (outcome.from == Outcome::From::Dispatcher) {
    JsonObject failed = observation;
    failed["type"] = "turn.failed";
    failed.erase("status");
    board_.out.observe(std::move(failed));
  }
  board_.out.observe(std::move(observation));
}

void Deliveries::retry_later(Instance& instance, std::string_view message_id, const Error& error) {
  if (instance.retry) return;
  if (instance.retries == 0) board_.out.problem(instance.name, message_id, error);
  const auto wait = std::min(kFirstRetry * (1 << std::min(instance.retries, 10)), kLongestRetry);
  ++instance.retries;
  instance.retry =
      board_.timers.add(Clock::now() + wait, {.kind = TimerKind::Retry, .name = instance.name});
}

void Deliveries::on_retry(Instance& instance) {
  instance.retry.reset();
  if (instance.current && instance.closing && !try_close(instance)) return;
  pump(instance);
}

}  // namespace goondan::orchestrator
