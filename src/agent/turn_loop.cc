#include "agent/turn_loop.h"

#include <algorithm>
#include <iterator>
#include <malloc.h>

#include "base/json_fields.h"

namespace goondan::agent {
namespace {

// With nothing to do for so long, an agent gives back the memory that its turns have used, and the
// conversation, which is read again for the next turn: thousands may be idle.
constexpr std::chrono::milliseconds kQuietTime{500};

TurnOutcome failed(Error error) {
  return {.status = TurnStatus::Error, .error = std::move(error), .finish_reason = "error"};
}

Result<void> send_answer(Link& link, const Delivery& delivery, const TurnOutcome& outcome) {
  Json payload = outcome.to_json(delivery.message.id);
  if (delivery.answer == ipc::MessageType::DelegateResult)
    return link.send(delivery.answer, std::move(payload), delivery.correlation_id);
  return link.send_event("turn_done", object_or_empty(payload));
}

// The orchestrator must hear of the end in any case, also if the answer does not fit.
Result<void> answer(const TurnLoop& loop, const Delivery& delivery, const TurnOutcome& outcome) {
  GDN_TRY(loop.outbox.flush());
  const Result<void> sent = send_answer(loop.link, delivery, outcome);
  if (sent.ok() || sent.error().code != ErrorCode::Limit) return sent;
  return send_answer(
      loop.link, delivery,
      failed({.code = ErrorCode::Limit,
              .message = "the answer of the turn is too large to be sent",
              .suggestion = "Let the agent write long texts to a file and answer with its path."}));
}

Result<void> take_turn(const TurnLoop& loop, const Delivery& delivery) {
  const TurnOutcome outcome =
      delivery.problem ? failed(*delivery.problem) : loop.runner.run(delivery.message);
  return answer(loop, delivery, outcome);
}

// Between two turns: whatever no longer waits in the store has been used by a turn that is over.
// `open`: the injections that have come and are not acknowledged yet.
void acknowledge(const TurnLoop& loop, std::vector<std::string>& open) {
  std::ranges::move(loop.inbox.take_injected(), std::back_inserter(open));
  if (open.empty()) return;
  const auto waiting = loop.store.injections();
  if (!waiting.ok()) return;
  static_cast<void>(loop.outbox.flush().ok());  // the turn is told before its end is
  std::erase_if(open, [&](const std::string& id) {
    if (std::ranges::find(*waiting, id, &store::Injection::id) != waiting->end()) return false;
    static_cast<void>(loop.link.send_event("injected", {{"id", id}}).ok());
    return true;
  });
}

// Injections that wait, and a turn that was cut off.
Result<std::size_t> left_to_do(const store::InstanceStore& store) {
  const bool cut_off = GDN_TRY(store.running_turn()).has_value();
  return GDN_TRY(store.injections()).size() + (cut_off ? 1 : 0);
}

// Those of other people wait for a turn of their own, also after one that failed. A turn that has
// used none would do so again, for ever: then all wait for the next message.
bool take_injections(const TurnLoop& loop) {
  const Result<std::size_t> before = left_to_do(loop.store);
  if (!loop.runner.run_injections()) return false;
  const Result<std::size_t> after = left_to_do(loop.store);
  if (before.ok() && after.ok() && *after < *before) loop.inbox.note_injections();
  return true;
}

}  // namespace

void take_turns(const TurnLoop& loop) {
  std::vector<std::string> open;
  Deadline quiet = Clock::now();  // what the start has used is given back at once
  while (true) {
    const Inbox::Next next = loop.inbox.take(quiet);
    if (std::holds_alternative<Inbox::Closed>(next)) return;
    if (std::holds_alternative<Inbox::Quiet>(next)) {
      loop.runner.rest();
      ::malloc_trim(0);
      quiet = Deadline::max();
      continue;
    }
    if (const Delivery* delivery = std::get_if<Delivery>(&next)) {
      // Not sent: the orchestrator is gone, and closes the inbox.
      static_cast<void>(take_turn(loop, *delivery).ok());
      loop.inbox.note_injections();  // a turn that failed may have left some
      quiet = Clock::now() + kQuietTime;
    } else if (take_injections(loop)) {
      quiet = Clock::now() + kQuietTime;
    }
    acknowledge(loop, open);
  }
}

}  // namespace goondan::agent
