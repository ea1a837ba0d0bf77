#include "agent/turn_runner.h"

#include "agent/engine.h"
#include "agent/inbound.h"
#include "agent/turn.h"
#include "base/ids.h"
#include "store/stored_json.h"

namespace goondan::agent {
namespace {

TurnOutcome stored_outcome(const store::TurnRecord& record) {
  const Result<Json> json = store::parse_stored(record.outcome);
  return TurnOutcome::from_json(json.ok() ? *json : Json(nullptr));
}

// The message as it came, or what is left of it.
TurnMessage stored_message(const store::TurnRecord& record) {
  const Result<Json> json = store::parse_stored(record.message);
  Result<TurnMessage> message = TurnMessage::from_json(json.ok() ? *json : Json(nullptr));
  return message.ok() ? *std::move(message) : TurnMessage{.id = record.message_id};
}

TurnProgress progress_of(store::TurnRecord record, TurnMessage message,
                         const std::string& agent_name) {
  Span span{.trace_id = record.trace_id,
            .span_id = record.span_id,
            .parent_id = message.parent_span_id,
            .name = "invoke_agent " + agent_name,
            .start_ns = ns_of(record.started_at)};
  const auto steps = static_cast<std::size_t>(std::max<std::int64_t>(record.steps, 0));
  return {.record = std::move(record),
          .input = std::move(message),
          .span = std::move(span),
          .steps = steps};
}

store::TurnRecord new_record(const TurnMessage& message) {
  return {.turn_id = make_id("turn_"),
          .message_id = message.id,
          .trace_id = trace_id_or_new(message.trace_id),
          .span_id = new_span_id(),
          .message = to_text(message.to_json()),
          .started_at = iso_now()};
}

}  // namespace

struct TurnRunner::State {
  explicit State(TurnParts parts) : engine(std::move(parts)) {}

  Result<TurnOutcome> run(const TurnMessage& message);
  Result<std::optional<TurnOutcome>> run_injections();
  Result<TurnOutcome> begin(const TurnMessage& message);
  Result<TurnOutcome> take_up(store::TurnRecord record);
  Result<void> clear_way(const std::string& message_id);
  TurnOutcome not_begun(const TurnMessage& message, Error error);

  Engine engine;
};

Result<TurnOutcome> TurnRunner::State::begin(const TurnMessage& message) {
  Conversation* conversation = GDN_TRY(engine.load_conversation());
  const std::int64_t now = now_ns();
  TurnProgress turn = progress_of(new_record(message), message, engine.parts.settings.agent_name);
  turn.span.start_ns = now;
  std::vector<Message> first;
  if (!is_injections_turn(message)) first.push_back(inbound_message(message));
  GDN_TRY(conversation->begin_turn(turn.record, std::move(first)));
  return run_turn(engine, std::move(turn), Taken::New);
}

Result<TurnOutcome> TurnRunner::State::take_up(store::TurnRecord record) {
  GDN_TRY(engine.load_conversation());
  TurnMessage message = stored_message(record);
  return run_turn(
      engine, progress_of(std::move(record), std::move(message), engine.parts.settings.agent_name),
      Taken::Up);
}

// No other turn may be under way. One that answers injections is taken up, for nobody else will
// bring it back; a message would have come again by itself, so its turn is given up.
Result<void> TurnRunner::State::clear_way(const std::string& message_id) {
  std::optional<store::TurnRecord> other = GDN_TRY(engine.parts.store.running_turn());
  if (!other || other->message_id == message_id) return {};
  if (is_injections_turn(stored_message(*other))) {
    GDN_TRY(take_up(*std::move(other)));
    other = GDN_TRY(engine.parts.store.running_turn());
    if (!other || engine.stops.order() == Stops::Order::Interrupt) return {};
  }
  GDN_TRY(engine.load_conversation());
  return abandon_turn(engine, *other);
}

Result<TurnOutcome> TurnRunner::State::run(const TurnMessage& message) {
  std::optional<store::TurnRecord> known = GDN_TRY(engine.parts.store.find_turn(message.id));
  if (known && known->state == store::TurnState::Done) return stored_outcome(*known);
  if (known) return take_up(*std::move(known));
  GDN_TRY(clear_way(message.id));
  if (engine.stops.order() == Stops::Order::Interrupt) return interrupted_turn();
  return begin(message);
}

Result<std::optional<TurnOutcome>> TurnRunner::State::run_injections() {
  std::optional<store::TurnRecord> other = GDN_TRY(engine.parts.store.running_turn());
  if (other) {
    // The turn of a message uses them itself when it is taken up.
    if (!is_injections_turn(stored_message(*other))) return std::optional<TurnOutcome>();
    return std::optional(GDN_TRY(take_up(*std::move(other))));
  }
  const std::vector<store::Injection> waiting = GDN_TRY(engine.parts.store.injections());
  if (waiting.empty()) return std::optional<TurnOutcome>();
  return std::optional(GDN_TRY(begin(injections_turn(waiting.front()))));
}

// The store would not even tell or take the beginning of the turn.
TurnOutcome TurnRunner::State::not_begun(const TurnMessage& message, Error error) {
  engine.forget_conversation();
  TurnOutcome outcome = failed_turn(std::move(error));
  tell_turn_end(engine,
                {.input = message,
                 .span = {.trace_id = message.trace_id,
                          .parent_id = message.parent_span_id,
                          .start_ns = now_ns()}},
                outcome);
  return outcome;
}

TurnRunner::TurnRunner(TurnParts parts) : state_(std::make_unique<State>(std::move(parts))) {}

TurnRunner::~TurnRunner() = default;

TurnOutcome TurnRunner::run(const TurnMessage& message) {
  if (state_->engine.stops.order() == Stops::Order::Interrupt) return interrupted_turn();
  Result<TurnOutcome> outcome = state_->run(message);
  if (outcome.ok()) return *std::move(outcome);
  return state_->not_begun(message, std::move(outcome).error());
}

std::optional<TurnOutcome> TurnRunner::run_injections() {
  if (state_->engine.stops.order() == Stops::Order::Interrupt) return std::nullopt;
  Result<std::optional<TurnOutcome>> outcome = state_->run_injections();
  if (outcome.ok()) return *std::move(outcome);
  return state_->not_begun({}, std::move(outcome).error());
}

void TurnRunner::rest() {
  state_->engine.forget_conversation();
}

void TurnRunner::cancel() {
  state_->engine.stops.cancel();
}

void TurnRunner::interrupt() {
  state_->engine.stops.interrupt();
}

}  // namespace goondan::agent
