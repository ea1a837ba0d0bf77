#include "agent/turn_report.h"

#include "base/json_fields.h"

namespace goondan::agent {

void tell_turn_start(const Engine& engine, const TurnProgress& turn, Taken taken) {
  engine.reporter.tell("turn.started", turn.record.turn_id, turn.span,
                       {{"id", turn.input.id},
                        {"input", engine.reporter.shown(turn.input.input)},
                        {"source", turn.input.source},
                        {"resumed", taken == Taken::Up}});
}

void tell_turn_end(const Engine& engine, const TurnProgress& turn, const TurnOutcome& outcome) {
  JsonObject fields{{"id", turn.input.id}};
  if (outcome.status == TurnStatus::Interrupted) {
    fields["reason"] = "shutdown";
    return engine.reporter.tell("turn.interrupted", turn.record.turn_id, turn.span,
                                std::move(fields));
  }
  const bool ok = outcome.status == TurnStatus::Ok;
  if (ok) {
    fields["finishReason"] = outcome.finish_reason;
    fields["response"] = engine.reporter.shown(outcome.response);
  } else if (outcome.error) {
    fields["error"] = error_json(*outcome.error);
  }
  fields["stepCount"] = turn.steps;
  fields["durationMs"] = elapsed_ms(turn.span);
  fields["usage"] = turn.usage.to_json();
  engine.reporter.tell(ok ? "turn.completed" : "turn.failed", turn.record.turn_id, turn.span,
                       std::move(fields));
}

void end_turn_span(Engine& engine, const TurnProgress& turn, const TurnOutcome& outcome) {
  Span span = turn.span;
  span.attributes = {{"gen_ai.operation.name", "invoke_agent"},
                     {"gen_ai.agent.name", engine.parts.settings.agent_name},
                     {"gen_ai.conversation.id", engine.parts.settings.instance_key},
                     {"gen_ai.usage.input_tokens", turn.usage.input},
                     {"gen_ai.usage.output_tokens", turn.usage.output},
                     {"goondan.turn.id", turn.record.turn_id},
                     {"goondan.turn.steps", turn.steps}};
  engine.spans.end(std::move(span), outcome.error);
}

}  // namespace goondan::agent
