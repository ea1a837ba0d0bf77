#include "builtin/agents/agents.h"

#include "base/json_fields.h"
#include "builtin/agents/embedded.h"
#include "builtin/arguments.h"
#include "builtin/runtime_request.h"

namespace goondan::builtin::agents {
namespace {

constexpr std::chrono::milliseconds kRequestTimeout{60'000};

std::string_view argument(const JsonObject& input, std::string_view key,
                          std::string_view otherwise) {
  return text_argument(input, key).value_or(otherwise);
}

// What the runtime did not say counts as so.
bool true_unless_told(const JsonObject& answer, std::string_view key) {
  return !answer.contains(key) || true_field(answer, key);
}

// The target that the runtime settled on; if it does not say, the one that was asked for.
Json target_of(const JsonObject& answer, const JsonObject& input) {
  const Json told = any_field(answer, "target");
  return told.is_string() ? told : any_field(input, "target");
}

Result<Json> request(const Services&, ToolContext& context, const JsonObject& input) {
  const bool async = flag_argument(input, "async").value_or(false);
  // Nobody waits for an answer that comes later, so the time of this call is no limit to it.
  const WaitTime time = async ? WaitTime{wanted_time(input, kRequestTimeout), LimitedBy::Argument}
                              : wait_time(context, input, kRequestTimeout);
  JsonObject params;
  copy_fields(input, {"target", "input", "instanceKey"}, params);
  params["eventType"] = argument(input, "eventType", "agent.request");
  params["timeoutMs"] = time.milliseconds;
  params["async"] = async;
  copy_fields(input, {"metadata"}, params);
  Result<JsonObject> asked = runtime_request(context, "agents.request", std::move(params));
  if (!asked.ok()) {
    Error error = std::move(asked.error());
    const bool late = error.code == ErrorCode::AgentTimeout;
    if (late && time.by == LimitedBy::Operator) error.suggestion = more_time(time.by);
    return error;
  }
  const JsonObject& answer = *asked;
  return JsonObject{{"target", target_of(answer, input)},
                    {"eventId", any_field(answer, "eventId")},
                    {"correlationId", any_field(answer, "correlationId")},
                    {"accepted", true_unless_told(answer, "accepted")},
                    {"async", answer.contains("async") ? true_field(answer, "async") : async},
                    {"response", any_field(answer, "response")}};
}

Result<Json> send(const Services&, ToolContext& context, const JsonObject& input) {
  JsonObject params;
  copy_fields(input, {"target", "input", "instanceKey"}, params);
  params["eventType"] = argument(input, "eventType", "agent.send");
  copy_fields(input, {"metadata"}, params);
  const JsonObject answer = GDN_TRY(runtime_request(context, "agents.send", std::move(params)));
  return JsonObject{{"target", target_of(answer, input)},
                    {"eventId", any_field(answer, "eventId")},
                    {"accepted", true_unless_told(answer, "accepted")}};
}

Result<Json> spawn(const Services&, ToolContext& context, const JsonObject& input) {
  JsonObject params;
  copy_fields(input, {"target", "instanceKey", "cwd"}, params);
  const JsonObject answer = GDN_TRY(runtime_request(context, "agents.spawn", std::move(params)));
  return JsonObject{{"target", target_of(answer, input)},
                    {"instanceKey", any_field(answer, "instanceKey")},
                    {"spawned", true_unless_told(answer, "spawned")},
                    {"cwd", any_field(answer, "cwd")}};
}

JsonArray items(const JsonObject& answer, std::string_view key) {
  const JsonArray* found = array_field(answer, key);
  return found == nullptr ? JsonArray{} : *found;
}

// One instance, as the runtime tells of it, with exactly the fields the model is promised.
Json instance(const Json& told) {
  const JsonObject& object = object_or_empty(told);
  JsonObject result;
  for (const std::string_view key :
       {"target", "instanceKey", "ownerAgent", "ownerInstanceKey", "createdAt", "cwd"}) {
    result[key] = any_field(object, key);
  }
  return result;
}

Result<Json> list(const Services&, ToolContext& context, const JsonObject& input) {
  const bool all = flag_argument(input, "includeAll").value_or(false);
  const JsonObject answer = GDN_TRY(runtime_request(context, "agents.list", {{"includeAll", all}}));
  JsonArray instances;
  for (const Json& told : items(answer, "agents"))
    instances.push_back(instance(told));
  const std::size_t count = instances.size();
  return JsonObject{{"count", count}, {"agents", std::move(instances)}};
}

Result<Json> catalog(const Services&, ToolContext& context, const JsonObject&) {
  const JsonObject answer = GDN_TRY(runtime_request(context, "agents.catalog", {}));
  JsonArray available = items(answer, "availableAgents");
  JsonArray callable = items(answer, "callableAgents");
  return JsonObject{{"swarmName", any_field(answer, "swarmName")},
                    {"entryAgent", any_field(answer, "entryAgent")},
                    {"selfAgent", any_field(answer, "selfAgent")},
                    {"availableCount", available.size()},
                    {"callableCount", callable.size()},
                    {"availableAgents", std::move(available)},
                    {"callableAgents", std::move(callable)}};
}

}  // namespace

Definition definition() {
  return {.name = "agents",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "request", .handle = request},
                      {.name = "send", .handle = send},
                      {.name = "spawn", .handle = spawn},
                      {.name = "list", .handle = list},
                      {.name = "catalog", .handle = catalog}}};
}

}  // namespace goondan::builtin::agents
