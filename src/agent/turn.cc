#include "agent/turn.h"

#include "agent/inbound.h"
#include "agent/layered.h"
#include "agent/pairing.h"
#include "agent/step.h"
#include "agent/turn_report.h"
#include "base/white_space.h"

namespace goondan::agent {
namespace {

// The last thing the agent said in this turn; empty if it said nothing.
std::string last_text(const Engine& engine, const TurnProgress& turn) {
  const std::vector<Message>& messages = engine.conversation->messages();
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (step_number(messages[i], turn.record.turn_id) == 0) continue;
    std::string text = messages[i].text();
    if (!unicode::trim_start(text).empty()) return text;
  }
  return {};
}

TurnOutcome answered(const Engine& engine, const TurnProgress& turn) {
  std::string text = last_text(engine, turn);
  if (text.empty()) text = "The agent ended its turn without an answer in words.";
  return {.response = engine.reporter.shown(text)};
}

TurnOutcome out_of_steps(const Engine& engine, const TurnProgress& turn) {
  std::string text = last_text(engine, turn);
  if (text.empty()) {
    text = "The agent stopped at its limit of " + std::to_string(engine.parts.settings.max_steps) +
           " steps for one turn before it had an answer.";
  }
  return {.response = engine.reporter.shown(text), .finish_reason = "max_steps"};
}

TurnOutcome stopped(const Engine& engine) {
  return engine.stops.order() == Stops::Order::Interrupt ? interrupted_turn()
                                                         : failed_turn(turn_stopped());
}

// What waits to be injected, and belongs to this turn, becomes messages of it.
Result<void> use_injections(Engine& engine, const TurnProgress& turn) {
  std::vector<store::Injection> used;
  std::vector<TurnMessage> inputs;
  std::vector<Message> messages;
  for (store::Injection& injection : GDN_TRY(engine.parts.store.injections())) {
    TurnMessage input = injected(injection);
    if (!same_surroundings(input, turn.input)) continue;
    messages.push_back(inbound_message(input));
    inputs.push_back(std::move(input));
    used.push_back(std::move(injection));
  }
  if (used.empty()) return {};
  GDN_TRY(engine.conversation->add_injections(used, std::move(messages)));
  for (const TurnMessage& input : inputs) {
    engine.reporter.tell(
        "message.injected", turn.record.turn_id, turn.span,
        {{"id", input.id}, {"source", input.source}, {"text", engine.reporter.shown(input.input)}});
  }
  return {};
}

// Where a turn that had begun goes on: at the calls of its last answer if they are not all
// answered, or if that answer is the last thing that happened.
StepStart start_of(const Engine& engine, TurnProgress& turn) {
  const std::vector<Message>& messages = engine.conversation->messages();
  const OpenCalls open = open_calls(messages);
  const std::size_t number =
      open.message == nullptr ? 0 : step_number(*open.message, turn.record.turn_id);
  turn.steps = std::max(turn.steps, number);
  if (number == 0) return StepStart::Model;
  const bool unfinished = !open.calls.empty() || open.message == &messages.back();
  return unfinished ? StepStart::Calls : StepStart::Model;
}

TurnOutcome run_steps(Engine& engine, TurnProgress& turn, StepStart start) {
  while (true) {
    if (engine.stops.order() != Stops::Order::None) return stopped(engine);
    if (start == StepStart::Model) {
      if (turn.steps >= engine.parts.settings.max_steps) return out_of_steps(engine, turn);
      if (Result<void> used = use_injections(engine, turn); !used.ok()) {
        return failed_turn(std::move(used).error());
      }
      ++turn.steps;
    }
    StepResult step = run_step(engine, turn, start);
    if (step.status == StepResult::Status::Failed) {
      Error error = step.error.value_or(Error{.message = "the step failed without saying why"});
      return error.code == ErrorCode::TurnCancelled ? stopped(engine)
                                                    : failed_turn(std::move(error));
    }
    if (!step.should_continue) return answered(engine, turn);
    engine.spans.flush();
    start = StepStart::Model;
  }
}

Result<void> finish(Engine& engine, const store::TurnRecord& record, const TurnOutcome& outcome) {
  std::vector<Message> closing = GDN_TRY(closing_messages(engine, record.turn_id));
  return engine.conversation->finish_turn({.turn_id = record.turn_id,
                                           .outcome = to_text(outcome.to_json(record.message_id)),
                                           .messages = std::move(closing),
                                           .spans = engine.spans.take()});
}

// An outcome goes into logs and to others; the conversation has the words as they were.
TurnOutcome masked(const Engine& engine, TurnOutcome outcome) {
  const Redactor* redactor = engine.reporter.redactor();
  if (redactor == nullptr) return outcome;
  if (redactor->finds_in(outcome.response)) outcome.response = redactor->redact(outcome.response);
  if (outcome.error) redactor->redact(*outcome.error);
  return outcome;
}

TurnOutcome run_layers(Engine& engine, TurnProgress& turn, StepStart start) {
  bool interrupted = false;
  const auto core = [&](TurnContext&) {
    TurnOutcome outcome = run_steps(engine, turn, start);
    interrupted = outcome.status == TurnStatus::Interrupted;
    return outcome;
  };
  TurnContext context{.input = turn.input,
                      .turn_id = turn.record.turn_id,
                      .trace_id = turn.record.trace_id,
                      .conversation = *engine.conversation,
                      .stop = engine.stops.turn_token()};
  TurnOutcome outcome = run_layered(engine.parts.turn_pipeline, context, core, failed_turn);
  // That a turn is not over yet is nothing that a layer could change. Nor is it over because one
  // failed that was stopped.
  if (interrupted) return interrupted_turn();
  const bool was_stopped = engine.stops.order() != Stops::Order::None;
  return was_stopped && outcome.status == TurnStatus::Error ? stopped(engine) : outcome;
}

}  // namespace

TurnOutcome failed_turn(Error error) {
  return {.status = TurnStatus::Error, .error = std::move(error), .finish_reason = "error"};
}

TurnOutcome interrupted_turn() {
  return {.status = TurnStatus::Interrupted, .finish_reason = "interrupted"};
}

TurnOutcome run_turn(Engine& engine, TurnProgress turn, Taken taken) {
  engine.stops.begin_turn();
  tell_turn_start(engine, turn, taken);
  const StepStart start = taken == Taken::Up ? start_of(engine, turn) : StepStart::Model;
  TurnOutcome outcome = masked(engine, run_layers(engine, turn, start));
  engine.stops.end_turn();
  if (outcome.status != TurnStatus::Interrupted) {
    end_turn_span(engine, turn, outcome);
    Result<void> finished = finish(engine, turn.record, outcome);
    if (!finished.ok()) outcome = failed_turn(std::move(finished).error());
  }
  tell_turn_end(engine, turn, outcome);
  engine.spans.flush();
  if (outcome.status == TurnStatus::Error) engine.forget_conversation();
  return outcome;
}

Result<void> abandon_turn(Engine& engine, const store::TurnRecord& record) {
  TurnOutcome outcome = interrupted_turn();
  outcome.error = Error{.code = ErrorCode::TurnCancelled,
                        .message =
                            "the turn was given up: another message came before it was "
                            "taken up again",
                        .suggestion = "Send its message again if the answer is still wanted."};
  GDN_TRY(finish(engine, record, outcome));
  const Span span{.trace_id = record.trace_id, .span_id = record.span_id};
  engine.reporter.tell("turn.interrupted", record.turn_id, span,
                       {{"id", record.message_id}, {"reason", "abandoned"}});
  return {};
}

}  // namespace goondan::agent
