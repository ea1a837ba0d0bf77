#include "agent/model_call.h"

#include "agent/blocks.h"
#include "agent/pairing.h"
#include "base/json_fields.h"
#include "base/redactor_stream.h"
#include "base/white_space.h"

namespace goondan::agent {
namespace {

std::string_view finish_name(FinishReason reason) {
  switch (reason) {
    case FinishReason::Stop:
      return "stop";
    case FinishReason::ToolCalls:
      return "tool_calls";
    case FinishReason::Length:
      return "length";
    case FinishReason::Refusal:
      return "refusal";
    case FinishReason::Other:
      break;
  }
  return "other";
}

// Passes on what is heard of the model while it answers.
class Listener final : public ModelObserver {
 public:
  Listener(const Reporter& reporter, const std::string& turn_id, const Span& span)
      : reporter_(reporter), turn_id_(turn_id), span_(span) {
    if (reporter.redactor() != nullptr) masked_.emplace(*reporter.redactor());
  }

  void on_text(std::string_view text) override {
    tell(masked_ ? masked_->push(text) : std::string(text));
  }

  void on_retry(int attempt, std::chrono::milliseconds wait, const Error& error) override {
    if (masked_) masked_.emplace(*reporter_.redactor());
    reporter_.tell("model.retry", turn_id_, span_,
                   {{"attempt", attempt}, {"waitMs", wait.count()}, {"error", error_json(error)}});
  }

  void finish() {
    if (masked_) tell(masked_->finish());
  }

 private:
  void tell(const std::string& text) {
    if (!text.empty()) reporter_.tell("message.delta", turn_id_, span_, {{"text", text}});
  }

  const Reporter& reporter_;
  const std::string& turn_id_;
  const Span& span_;
  std::optional<StreamRedactor> masked_;
};

bool empty(const ModelReply& reply) {
  return reply.calls.empty() && unicode::trim_start(reply.text).empty();
}

Error empty_answer(const Model& model, const ModelReply& reply) {
  if (reply.finish == FinishReason::Length) {
    return {.code = ErrorCode::ModelReply,
            .message = "model '" + model.id() +
                       "' used up its output limit before it wrote any text or called a tool",
            .suggestion = "Raise params.maxTokens of the agent's model."};
  }
  return {.code = ErrorCode::ModelReply,
          .message = "model '" + model.id() + "' answered twice with neither text nor a tool call" +
                     " (finish reason: " + std::string(finish_name(reply.finish)) + ")",
          .suggestion = "Send the message again, or say in it what kind of answer is expected."};
}

void end_chat(Engine& engine, Span span, const Result<ModelReply>& reply) {
  Model& model = engine.parts.model;
  span.attributes = {{"gen_ai.operation.name", "chat"},
                     {"gen_ai.provider.name", model.provider()},
                     {"gen_ai.request.model", model.id()}};
  if (!reply.ok()) return engine.spans.end(std::move(span), reply.error());
  if (!reply->model.empty()) span.attributes["gen_ai.response.model"] = reply->model;
  span.attributes["gen_ai.response.finish_reasons"] = JsonArray{finish_name(reply->finish)};
  span.attributes["gen_ai.usage.input_tokens"] = reply->usage.input;
  span.attributes["gen_ai.usage.output_tokens"] = reply->usage.output;
  engine.spans.end(std::move(span));
}

Result<ModelReply> ask_once(Engine& engine, TurnProgress& turn, const Span& step,
                            const ModelOffer& offer) {
  const TurnSettings& settings = engine.parts.settings;
  const std::vector<Message>& all = engine.conversation->messages();
  std::optional<std::vector<Message>> repaired;
  if (!engine.conversation->is_paired()) repaired = with_pairs(all);
  std::string with_blocks;
  if (!offer.blocks.empty()) {
    with_blocks =
        prompt_with_blocks(settings.system_prompt, offer.blocks, engine.reporter.redactor());
  }
  Span span = child_span(step, "chat " + engine.parts.model.id());
  Listener listener(engine.reporter, turn.record.turn_id, span);
  Result<ModelReply> reply = engine.parts.model.reply(
      {.system = with_blocks.empty() ? settings.system_prompt : with_blocks,
       .messages = repaired ? *repaired : all,
       .tools = offer.catalog,
       .params = settings.model_params,
       .deadline = Clock::now() + settings.model_timeout,
       .stop = engine.stops.turn_token()},
      listener);
  listener.finish();
  if (reply.ok()) turn.usage += reply->usage;
  end_chat(engine, std::move(span), reply);
  return reply;
}

void tell_text(const Engine& engine, const TurnProgress& turn, const Span& step,
               const ModelReply& reply) {
  if (reply.text.empty()) return;
  JsonObject fields{{"text", engine.reporter.shown(reply.text)}};
  const bool whole = reply.finish == FinishReason::Stop || reply.finish == FinishReason::ToolCalls;
  if (!whole) fields["finishReason"] = finish_name(reply.finish);
  engine.reporter.tell("message.text", turn.record.turn_id, step, std::move(fields));
}

// A cancelled turn has no use for the answer; an interrupted one is glad to have it.
bool stopped(const Engine& engine, const Result<ModelReply>& reply) {
  const Stops::Order order = engine.stops.order();
  return order == Stops::Order::Cancel || (order == Stops::Order::Interrupt && !reply.ok());
}

}  // namespace

Result<ModelReply> ask_model(Engine& engine, TurnProgress& turn, const Span& step,
                             const ModelOffer& offer) {
  Result<ModelReply> reply = ask_once(engine, turn, step, offer);
  const bool again = reply.ok() && empty(*reply) && reply->finish != FinishReason::Length;
  if (again && engine.stops.order() == Stops::Order::None) {
    reply = ask_once(engine, turn, step, offer);
  }
  if (stopped(engine, reply)) return turn_stopped();
  if (!reply.ok()) return reply;
  if (empty(*reply)) {
    if (engine.stops.order() != Stops::Order::None) return turn_stopped();
    return empty_answer(engine.parts.model, *reply);
  }
  tell_text(engine, turn, step, *reply);
  return reply;
}

}  // namespace goondan::agent
