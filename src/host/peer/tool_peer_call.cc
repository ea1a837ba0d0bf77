#include "host/peer/tool_peer_call.h"

#include "base/json_fields.h"
#include "base/log_level.h"

namespace goondan {
namespace {

Json context_json(const ToolContext& context, Dialect dialect) {
  JsonObject json{{"agentName", context.agent_name()},    {"instanceKey", context.instance_key()},
                  {"turnId", context.turn_id()},          {"traceId", context.trace_id()},
                  {"toolCallId", context.tool_call_id()}, {"workdir", context.workdir()},
                  {"message", context.message()}};
  if (context.deadline() != Deadline::max()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(context.deadline() - Clock::now());
    json["timeoutMs"] = std::max<std::int64_t>(left.count(), 0);
  }
  if (dialect == Dialect::V1Alpha1) json["v1alpha1"] = context.scope().surroundings;
  return json;
}

double number_field(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

void hear(const ToolContext& context, const std::string& method, const Json& params) {
  const JsonObject& object = object_or_empty(params);
  if (method == "log")
    context.log(level_named(text_field(object, "level")), text_field(object, "text"));
  if (method == "progress")
    context.progress(number_field(object, "done"), number_field(object, "total"),
                     text_field(object, "text"));
}

}  // namespace

Result<Json> call_tool_peer(Peer& peer, ToolContext& context, ToolPeerCall given) {
  given.params["context"] = context_json(context, given.dialect);
  PeerCall call{.method = given.method,
                .params = std::move(given.params),
                .deadline = context.deadline(),
                .stop = context.stop()};
  call.on_notify = [&context](const std::string& name, const Json& said) {
    hear(context, name, said);
  };
  call.on_request = [&](const std::string& name, const Json& asked) -> Result<Json> {
    const JsonObject& object = object_or_empty(asked);
    if (name == "runtime")
      return context.request(text_field(object, "method"), any_field(object, "params"));
    if (given.other) return given.other(name, asked);
    return Error{.code = ErrorCode::NotFound, .message = "nobody serves '" + name + "' here"};
  };
  return peer.call(call);
}

}  // namespace goondan
