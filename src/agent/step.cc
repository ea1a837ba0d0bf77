#include "agent/step.h"

#include "agent/call_ids.h"
#include "agent/layered.h"
#include "agent/model_call.h"
#include "agent/pairing.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

constexpr std::chrono::milliseconds kLongWait{10};

StepResult failed_step(Error error) {
  return {.status = StepResult::Status::Failed, .error = std::move(error)};
}

// Asks the model and keeps its answer; the calls in it, with ids of their own.
Result<std::vector<ToolCall>> ask(Engine& engine, TurnProgress& turn, const Span& span,
                                  const ModelOffer& offer) {
  ModelReply reply = GDN_TRY(ask_model(engine, turn, span, offer));
  make_ids_unique(reply.calls, *engine.conversation);
  Message message = reply.to_message(engine.parts.model.provider(), step_id(turn));
  if (reply.calls.empty() && !engine.has_layers()) {
    // The turn ends with it, and nothing happens in between that a crash could cut off.
    engine.conversation->hold_last(std::move(message));
  } else {
    GDN_TRY(engine.conversation->add_step(turn.record.turn_id, std::move(message)));
  }
  return std::move(reply.calls);
}

Result<StepResult> work(Engine& engine, TurnProgress& turn, const Span& span,
                        const ModelOffer& offer, StepStart start) {
  std::vector<ToolCall> calls;
  if (start == StepStart::Model) calls = GDN_TRY(ask(engine, turn, span, offer));
  const OpenCalls open = open_calls(engine.conversation->messages());
  if (start == StepStart::Calls) {
    // A layer may have taken away what this step was to go on with.
    const bool ours =
        open.message != nullptr && step_number(*open.message, turn.record.turn_id) > 0;
    if (!ours) return StepResult{.should_continue = true};
    calls = open.calls;
  }
  if (calls.empty()) return StepResult{};
  const Message answer = *open.message;
  StepResult result{.should_continue = true, .calls = calls};
  result.results = GDN_TRY(run_calls(
      engine, turn, span,
      {.message = answer, .calls = std::move(calls), .catalog = offer.catalog, .start = start}));
  return result;
}

// Leaving because the turn is stopped is no failure of the step.
bool left(const StepResult& result) {
  return result.error && result.error->code == ErrorCode::TurnCancelled;
}

void tell_end(Engine& engine, const TurnProgress& turn, const Span& span, const Usage& before,
              const StepResult& result) {
  if (left(result)) return;
  JsonObject fields{{"stepIndex", turn.steps}};
  if (result.status == StepResult::Status::Failed) {
    if (result.error) fields["error"] = error_json(*result.error);
    return engine.reporter.tell("step.failed", turn.record.turn_id, span, std::move(fields));
  }
  Usage used = turn.usage;
  used.input -= before.input;
  used.output -= before.output;
  used.cache_read -= before.cache_read;
  used.cache_write -= before.cache_write;
  used.reasoning -= before.reasoning;
  fields["toolCallCount"] = result.calls.size();
  fields["durationMs"] = elapsed_ms(span);
  fields["usage"] = used.to_json();
  engine.reporter.tell("step.completed", turn.record.turn_id, span, std::move(fields));
}

// A span of its own only where it took a while: mostly there is nothing to wait for.
Result<void> prepare(Engine& engine, const Span& step) {
  if (!engine.parts.before_step) return {};
  Span span = child_span(step, "wait for MCP servers");
  Result<void> done = engine.parts.before_step(engine.stops.turn_token());
  const std::chrono::nanoseconds took(now_ns() - span.start_ns);
  if (took >= kLongWait)
    engine.spans.end(std::move(span), done.ok() ? std::optional<Error>() : done.error());
  return done;
}

StepResult run_layers(Engine& engine, TurnProgress& turn, const Span& span, StepStart start) {
  if (Result<void> prepared = prepare(engine, span); !prepared.ok())
    return failed_step(std::move(prepared).error());
  StepContext context{.input = turn.input,
                      .turn_id = turn.record.turn_id,
                      .trace_id = turn.record.trace_id,
                      .step_index = turn.steps,
                      .conversation = *engine.conversation,
                      .catalog = engine.catalogs.of(*engine.conversation),
                      .stop = engine.stops.turn_token()};
  if (engine.parts.blocks) context.blocks = engine.parts.blocks(turn.input);
  const auto core = [&](StepContext& inner) {
    Result<StepResult> done =
        work(engine, turn, span, {.catalog = inner.catalog, .blocks = inner.blocks}, start);
    return done.ok() ? *std::move(done) : failed_step(std::move(done).error());
  };
  StepResult result = run_layered(engine.parts.step_pipeline, context, core, failed_step);
  const bool stopped = engine.stops.order() != Stops::Order::None;
  // A layer that was stopped together with the turn may call that what it likes.
  if (stopped && result.status == StepResult::Status::Failed) return failed_step(turn_stopped());
  return result;
}

}  // namespace

StepResult run_step(Engine& engine, TurnProgress& turn, StepStart start) {
  const Usage before = turn.usage;
  Span span = child_span(turn.span, "step " + std::to_string(turn.steps));
  engine.reporter.tell("step.started", turn.record.turn_id, span, {{"stepIndex", turn.steps}});
  const StepResult result = run_layers(engine, turn, span, start);
  tell_end(engine, turn, span, before, result);
  span.attributes = {{"goondan.step.index", turn.steps},
                     {"goondan.step.tool_calls", result.calls.size()}};
  engine.spans.end(std::move(span), result.error);
  return result;
}

}  // namespace goondan::agent
