#include <charconv>

#include "extension/outcome_json.h"
#include "extension/remote_place.h"
#include "extension/remote_run.h"

namespace goondan {
namespace {

// The number at the end of the `stepId` of the message that holds the call; 0 without an agent.
std::int64_t step_of(const ToolContext& context) {
  const Json source = any_field(object_or_empty(context.message()), "source");
  const std::string id = text_field(object_or_empty(source), "stepId");
  const std::size_t dash = id.rfind('-');
  std::int64_t number = 0;
  if (dash != std::string::npos)
    std::from_chars(id.data() + dash + 1, id.data() + id.size(), number);
  return number;
}

Error no_arguments() {
  return {.code = ErrorCode::Middleware,
          .message = "the arguments that the middleware made are no object",
          .suggestion = "Arguments are an object, also for a tool that takes one value."};
}

}  // namespace

ToolCallResult run_remote_tool_call(const LayerPlace& place, ToolCallContext& context,
                                    ToolCallPipeline::Next& next) {
  JsonObject view = common_context(place.parts->site.agent, context.tool.turn_id(),
                                   context.tool.trace_id(), context.metadata);
  view["toolName"] = context.call.name;
  view["toolCallId"] = context.call.id;
  view["args"] = context.args;
  if (const std::int64_t step = step_of(context.tool); step > 0) view["stepIndex"] = step;
  if (place.parts->dialect == Dialect::V1Alpha1)
    view["v1alpha1"] = context.tool.scope().surroundings;
  std::optional<ToolCallResult> inner;
  const auto run_next = [&](const JsonObject& params) -> Result<Json> {
    take_metadata(context.metadata, params);
    if (const Json* args = params.if_contains("args")) {
      if (!args->is_object()) return no_arguments();
      context.args = args->get_object();
    }
    ToolCallResult result = next();
    Json outcome = result.to_json();
    if (!inner) inner = std::move(result);
    return next_answer(std::move(outcome), context.metadata);
  };
  const auto fail = [&](Error error) {
    return next.instead(ToolCallResult::failure(context.call, std::move(error)));
  };
  Result<LayerReply> reply =
      run_remote_layer(*place.parts, {.params = place.params("toolCall", std::move(view)),
                                      .own_time = std::nullopt,
                                      .deadline = context.tool.deadline(),
                                      .stop = context.tool.stop(),
                                      .next = run_next,
                                      .request = [&](std::string_view method, const Json& params) {
                                        return context.tool.request(method, params);
                                      }});
  if (!reply.ok()) return fail(std::move(reply).error());
  context.metadata = std::move(reply->metadata);
  if (reply->outcome.is_null())
    return inner ? *std::move(inner) : ToolCallResult::failure(context.call, {});
  Result<ToolCallResult> result = result_from_json(context.call, reply->outcome);
  return result.ok() ? next.instead(*std::move(result)) : fail(std::move(result).error());
}

}  // namespace goondan
