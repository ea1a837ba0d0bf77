#include "extension/remote_layers.h"

#include "extension/outcome_json.h"
#include "extension/remote_extension.h"
#include "extension/remote_place.h"
#include "extension/remote_run.h"
#include "v1alpha1/surroundings.h"

namespace goondan {
namespace {

// Asks the runtime in the name of the turn, of which `context` is the whole or a step.
template <class Context>
auto turn_requests(const RemoteParts& parts, const Context& context) {
  return [&](std::string_view method, const Json& params) -> Result<Json> {
    if (parts.site.runtime == nullptr) {
      return Error{.code = ErrorCode::RuntimeUnavailable,
                   .message = "'" + std::string(method) + "' needs a running swarm",
                   .suggestion = "Run the bundle with `gdn run`."};
    }
    const AgentFacts& agent = parts.site.agent;
    const ToolCall caller{.id = "extension:" + parts.site.name, .name = parts.site.name};
    const CallScope scope{.agent_name = agent.agent_name,
                          .instance_key = agent.instance_key,
                          .turn_id = context.turn_id,
                          .trace_id = context.trace_id,
                          .workdir = agent.workdir,
                          .origin = context.input.origin,
                          .auth = context.input.auth};
    return parts.site.runtime->request({.call = caller,
                                        .scope = scope,
                                        .deadline = Clock::now() + kLayerTime,
                                        .stop = context.stop},
                                       method, params);
  };
}

// What the first dialect knows of a step before the model is asked. The catalog is beside it.
Json step_surroundings(const RemoteParts& parts, const StepContext& context) {
  const std::string step_id = context.turn_id + "-step-" + std::to_string(context.step_index);
  return v1alpha1::make_surroundings(
      {.agent_name = parts.site.agent.agent_name,
       .instance_id = parts.instance_id,
       .turn_id = context.turn_id,
       .origin = context.input.origin,
       .auth = context.input.auth,
       .metadata = context.input.metadata,
       .messages = v1alpha1::messages_of_turn(context.conversation.messages(), context.turn_id),
       .step_id = step_id,
       .step_index = context.step_index,
       .catalog = ToolCatalog()});
}

JsonObject step_view(const RemoteParts& parts, const StepContext& context) {
  JsonObject view =
      common_context(parts.site.agent, context.turn_id, context.trace_id, context.metadata);
  view["stepIndex"] = context.step_index;
  view["inputEvent"] = input_event_json(context.input);
  view["messages"] = messages_json(context.conversation);
  view["toolCatalog"] = catalog_json(context.catalog);
  const bool first = parts.dialect == Dialect::V1Alpha1;
  if (first) view["v1alpha1"] = step_surroundings(parts, context);
  if (first || !context.blocks.empty()) view["blocks"] = context.blocks;
  return view;
}

// What a layer made of the step before it let it go on.
Result<void> take_step(StepContext& context, const JsonObject& params) {
  take_metadata(context.metadata, params);
  if (const Json* catalog = params.if_contains("toolCatalog"))
    context.catalog = GDN_TRY(catalog_from_json(context.catalog, *catalog));
  if (const Json* blocks = params.if_contains("blocks"))
    context.blocks = GDN_TRY(blocks_from_json(*blocks));
  return {};
}

StepResult failed_step(Error error) {
  return {.status = StepResult::Status::Failed, .error = std::move(error)};
}

StepResult run_step(const LayerPlace& place, StepContext& context, StepPipeline::Next& next) {
  std::optional<StepResult> inner;
  const auto run_next = [&](const JsonObject& params) -> Result<Json> {
    GDN_TRY(take_step(context, params));
    StepResult result = next();
    Json outcome = step_result_json(result);
    if (!inner) inner = std::move(result);
    return next_answer(std::move(outcome), context.metadata, messages_json(context.conversation));
  };
  Result<LayerReply> reply = run_remote_layer(
      *place.parts, {.params = place.params("step", step_view(*place.parts, context)),
                     .own_time = kLayerTime,
                     .stop = context.stop,
                     .next = run_next,
                     .request = turn_requests(*place.parts, context),
                     .conversation = &context.conversation});
  if (!reply.ok()) return next.instead(failed_step(std::move(reply).error()));
  context.metadata = std::move(reply->metadata);
  StepResult result = inner ? *std::move(inner) : StepResult{};
  return next.instead(changed_step_result(std::move(result), object_or_empty(reply->outcome)));
}

TurnOutcome failed_turn(Error error) {
  return {.status = TurnStatus::Error, .error = std::move(error), .finish_reason = "error"};
}

TurnOutcome run_turn(const LayerPlace& place, TurnContext& context, TurnPipeline::Next& next) {
  JsonObject view =
      common_context(place.parts->site.agent, context.turn_id, context.trace_id, context.metadata);
  view["inputEvent"] = input_event_json(context.input);
  view["messages"] = messages_json(context.conversation);
  std::optional<TurnOutcome> inner;
  const auto run_next = [&](const JsonObject& params) -> Result<Json> {
    take_metadata(context.metadata, params);
    TurnOutcome result = next();
    Json outcome = turn_outcome_json(result, context.turn_id);
    if (!inner) inner = std::move(result);
    return next_answer(std::move(outcome), context.metadata, messages_json(context.conversation));
  };
  Result<LayerReply> reply =
      run_remote_layer(*place.parts, {.params = place.params("turn", std::move(view)),
                                      .own_time = kLayerTime,
                                      .stop = context.stop,
                                      .next = run_next,
                                      .request = turn_requests(*place.parts, context),
                                      .conversation = &context.conversation});
  if (!reply.ok()) return next.instead(failed_turn(std::move(reply).error()));
  context.metadata = std::move(reply->metadata);
  TurnOutcome outcome = inner ? *std::move(inner) : TurnOutcome{};
  return next.instead(changed_turn_outcome(std::move(outcome), object_or_empty(reply->outcome)));
}

}  // namespace

std::optional<LayerKind> layer_kind(std::string_view text) {
  if (text == "turn") return LayerKind::Turn;
  if (text == "step") return LayerKind::Step;
  if (text == "toolCall") return LayerKind::ToolCall;
  return std::nullopt;
}

void add_remote_layer(ExtensionLayers& layers, const std::shared_ptr<const RemoteParts>& parts,
                      LayerKind kind, std::int64_t number, int priority) {
  LayerPlace place{.parts = parts, .number = number};
  const std::string& name = parts->site.name;
  switch (kind) {
    case LayerKind::Turn:
      return layers.turn.add(
          name,
          [place](TurnContext& context, TurnPipeline::Next& next) {
            return run_turn(place, context, next);
          },
          priority);
    case LayerKind::Step:
      return layers.step.add(
          name,
          [place](StepContext& context, StepPipeline::Next& next) {
            return run_step(place, context, next);
          },
          priority);
    case LayerKind::ToolCall:
      return layers.tool_call.add(
          name,
          [place](ToolCallContext& context, ToolCallPipeline::Next& next) {
            return run_remote_tool_call(place, context, next);
          },
          priority);
  }
}

}  // namespace goondan
