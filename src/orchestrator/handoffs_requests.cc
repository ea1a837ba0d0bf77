// Requests that are answered: from the frame to the record, and their time-outs.
#include <algorithm>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/handoffs.h"
#include "orchestrator/swarm_names.h"
#include "orchestrator/wait_graph.h"

namespace goondan::orchestrator {
namespace {

using std::chrono::milliseconds;
using Mode = store::RequestRecord::Mode;

std::int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count();
}

milliseconds timeout_of(const JsonObject& payload) {
  const std::int64_t given = integer_field(payload, "timeoutMs").value_or(0);
  if (given <= 0) return kDefaultRequestTimeout;
  return std::min(milliseconds(given), kMaxRequestTimeout);
}

store::RequestRecord record_of(const Instance& sender, const NewTurn& turn,
                               const JsonObject& payload) {
  return {.correlation_id = turn.correlation_id,
          .event_id = turn.id,
          .caller_agent = sender.name.agent,
          .caller_instance_key = sender.name.key,
          .target = turn.target.agent,
          .target_instance_key = turn.target.key,
          .event_type = turn.event_type,
          .metadata = to_text(turn.metadata),
          .trace_id = turn.trace_id,
          .surroundings = surroundings_text(turn.surroundings),
          .mode = true_field(payload, "async") ? Mode::Async : Mode::Blocking,
          .deadline_ms = unix_ms() + timeout_of(payload).count()};
}

Json accepted_reply(const store::RequestRecord& record) {
  return JsonObject{{"accepted", true},
                    {"eventId", record.event_id},
                    {"correlationId", record.correlation_id},
                    {"target", record.target}};
}

JsonObject sent_observation(const store::RequestRecord& record, const NewTurn& turn,
                            const InstanceName& sender) {
  return {{"type", "delegate.sent"},       {"agentName", sender.agent},
          {"instanceKey", sender.key},     {"traceId", record.trace_id},
          {"spanId", turn.parent_span_id}, {"from", sender.text()},
          {"to", turn.target.text()},      {"correlationId", record.correlation_id}};
}

Error timeout_error(const Request& request) {
  return {.code = ErrorCode::AgentTimeout,
          .message = "agent " + request.target_name().text() + " did not answer the request " +
                     request.record.correlation_id + " in time; it goes on working",
          .suggestion = "Ask for less at once, or give a larger timeoutMs."};
}

}  // namespace

Result<Json> Handoffs::take_delegate(Instance& sender, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  NewTurn turn = GDN_TRY(from_agent(sender, payload, "agent.request"));
  turn.kind = store::MessageKind::Delegate;
  turn.call_stack = sender.call_stack;
  turn.call_stack.push_back(sender.name.text());
  GDN_TRY(check_cycle(turn.call_stack, turn.target));
  if (const Request* open = board_.requests.find_message(turn.id, sender.name)) {
    // Asked again by a process that came after the one that asked first: the answer is its own.
    board_.requests.find(open->record.correlation_id)->caller = sender.generation;
    return accepted_reply(open->record);
  }
  GDN_TRY(check_request(sender, message));
  if (!true_field(payload, "async")) GDN_TRY(check_waits(board_, sender.name, turn.target));
  turn.correlation_id = message.correlation_id.empty() ? make_id("corr_") : message.correlation_id;
  const store::JournalMessage queued = GDN_TRY(turn_message(turn));
  const store::RequestRecord record = record_of(sender, turn, payload);
  const store::Journal::Accepted how = GDN_TRY(accept(queued, &record));
  if (how == store::Journal::Accepted::Known) return accepted_reply(record);
  Request& request = board_.requests.add({.record = record, .caller = sender.generation});
  if (request.async()) ++sender.async_requests;
  watch_deadline(request);
  board_.out.observe(sent_observation(record, turn, sender.name));
  accepted(turn, sender.name, queued);
  return accepted_reply(record);
}

Result<void> Handoffs::check_request(const Instance& sender, const ipc::Message& message) {
  if (sender.presence != Presence::Ready) {
    return Error{.code = ErrorCode::AgentStopped,
                 .message = sender.name.text() + " is being stopped and may ask no one"};
  }
  if (!message.correlation_id.empty()) {
    GDN_TRY(check_id("'correlationId'", message.correlation_id));
    if (board_.requests.find(message.correlation_id) != nullptr) {
      return Error{
          .code = ErrorCode::Ipc,
          .message = "correlation id '" + message.correlation_id + "' belongs to another request",
          .suggestion = "Give each request an id of its own, or none."};
    }
  }
  const bool async = true_field(object_or_empty(message.payload), "async");
  if (!async || sender.async_requests < kMaxOpenRequests) return {};
  return Error{.code = ErrorCode::Limit,
               .message = sender.name.text() + " has " + std::to_string(kMaxOpenRequests) +
                          " asynchronous requests without an answer",
               .suggestion = "Wait for some of the answers first."};
}

void Handoffs::watch_deadline(Request& request) {
  const milliseconds left{std::max<std::int64_t>(request.record.deadline_ms - unix_ms(), 0)};
  const milliseconds grace = request.async() ? milliseconds{0} : kBlockingGrace;
  request.timer =
      board_.timers.add(Clock::now() + std::min(left, kMaxRequestTimeout) + grace,
                        {.kind = TimerKind::Request, .name = {request.record.correlation_id, {}}});
}

// After a start nobody waits for a blocking request: its record only goes when its time is over.
void Handoffs::restore(store::RequestRecord record) {
  Request& request = board_.requests.add({.record = std::move(record)});
  if (request.async()) ++board_.queues.at(request.caller_name()).async_requests;
  watch_deadline(request);
}

void Handoffs::on_timeout(std::string_view correlation_id) {
  Request* request = board_.requests.find(correlation_id);
  if (request == nullptr) return;
  request->timer.reset();
  const Outcome outcome = failed_outcome(timeout_error(*request));
  std::optional<store::JournalMessage> injection;
  if (request->async() && in_swarm(board_.swarm, request->record.caller_agent)) {
    injection = answer_injection(*request, "timeout", outcome);
  }
  const Result<void> dropped = board_.journal.drop_request(correlation_id, injection);
  if (!dropped.ok()) {
    board_.out.problem(request->caller_name(), request->record.event_id, dropped.error());
    request->timer =
        board_.timers.add(Clock::now() + kLongestRetry,
                          {.kind = TimerKind::Request, .name = {std::string(correlation_id), {}}});
    return;
  }
  Instance* caller = board_.queues.find(request->caller_name());
  if (caller != nullptr && request->async() && caller->async_requests > 0) --caller->async_requests;
  board_.requests.erase(correlation_id);
  if (!injection) return;
  deliveries_.enqueue(*injection);
  deliveries_.pump_later({injection->agent, injection->instance_key});
}

}  // namespace goondan::orchestrator
