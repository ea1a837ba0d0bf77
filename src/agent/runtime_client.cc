#include "agent/runtime_client.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "agent/bounded_text.h"
#include "agent/turn_runner.h"
#include "base/ids.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

using std::chrono::milliseconds;
using Caller = CallRuntime::Caller;
using Limit = RequestWaits::Limit;

// No request is meant to take longer.
constexpr milliseconds kMaxRequestTime = std::chrono::hours{24};

milliseconds time_left(const Caller& caller) {
  const auto left = caller.deadline - Clock::now() - kAnswerBeforeDeadline;
  return std::clamp(std::chrono::floor<milliseconds>(left), milliseconds{0}, kMaxRequestTime);
}

// A positive number under `timeoutMs`, else `usual`; never more than the call has left.
milliseconds time_for(const Caller& caller, const JsonObject& params, milliseconds usual) {
  const Json* given = params.if_contains("timeoutMs");
  boost::json::error_code failed;
  const double number =
      given != nullptr && given->is_number() ? given->to_number<double>(failed) : 0;
  const double most = static_cast<double>(kMaxRequestTime.count());
  const milliseconds wanted =
      number >= 1 ? milliseconds{static_cast<std::int64_t>(std::min(number, most))} : usual;
  return std::min(wanted, time_left(caller));
}

Limit limit_of(const Caller& caller) {
  return {.deadline = Clock::now() + time_left(caller), .stop = caller.stop};
}

Error agent_timeout(const std::string& target, milliseconds time) {
  return {
      .code = ErrorCode::AgentTimeout,
      .message = "agent request timeout (" + std::to_string(time.count()) + "ms): target=" + target,
      .suggestion =
          "The other agent goes on working. Give a larger timeoutMs, or async: true "
          "and go on until its answer comes."};
}

Error without_target() {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = "'target' must name an agent",
          .suggestion = "Call agents__catalog to see which there are."};
}

// What an agent sets off has the origin of its turn and acts on behalf of the same person. What a
// tool says of that itself does not count.
void add_surroundings(JsonObject& payload, const CallScope& scope) {
  payload.erase("origin");
  payload.erase("auth");
  if (!scope.origin.is_null()) payload["origin"] = scope.origin;
  if (!scope.auth.is_null()) payload["auth"] = scope.auth;
}

// The fields that a request and a mere message have in common.
JsonObject address(const Caller& caller, const JsonObject& params, const std::string& id,
                   std::string_view usual_type) {
  const std::string type = text_field(params, "eventType");
  JsonObject payload{{"id", id},
                     {"target", text_field(params, "target")},
                     {"input", any_field(params, "input")},
                     {"eventType", type.empty() ? usual_type : std::string_view(type)},
                     {"metadata", object_or_empty(any_field(params, "metadata"))},
                     {"traceId", caller.scope.trace_id},
                     {"spanId", call_span_id(caller.scope.turn_id, caller.call.id)}};
  const std::string key = text_field(params, "instanceKey");
  if (!key.empty()) payload["instanceKey"] = key;
  add_surroundings(payload, caller.scope);
  return payload;
}

// Whoever reads the frame refuses what is nested deeper.
Result<void> check_depth(const Json& params) {
  if (!deeper_than(params, kMaxSentLevels)) return {};
  return Error{
      .code = ErrorCode::ToolInvalidArgs,
      .message = "the value is nested more than " + std::to_string(kMaxSentLevels) + " levels deep",
      .suggestion = "Send it as text."};
}

bool asks_orchestrator(std::string_view method) {
  constexpr std::array<std::string_view, 6> kMethods{"agents.list",    "agents.catalog",
                                                     "handles.cancel", "handles.list",
                                                     "runtime.reload", "runtime.restart"};
  return std::ranges::find(kMethods, method) != kMethods.end();
}

}  // namespace

Result<Json> RuntimeClient::request(const Caller& caller, std::string_view method,
                                    const Json& params) {
  const JsonObject& given = object_or_empty(params);
  for (RuntimeService* service : parts_.services) {
    if (service->serves(method)) return service->request(caller, method, params);
  }
  if (method == "handles.read") return read_output(parts_.store, params, parts_.max_result_bytes);
  GDN_TRY(check_depth(params));
  if (method == "agents.request") return ask_agent(caller, given);
  if (method == "agents.send") return tell_agent(caller, given);
  if (method == "agents.spawn") return spawn_agent(caller, given);
  if (method == "handles.wait") return wait_for_handle(caller, given);
  if (method == "handles.open") {
    JsonObject handle = given;
    add_surroundings(handle, caller.scope);
    return ask_orchestrator(caller, method, std::move(handle));
  }
  if (asks_orchestrator(method)) return ask_orchestrator(caller, method, given);
  return Error{.code = ErrorCode::RuntimeUnavailable,
               .message = "the runtime knows no '" + std::string(method) + "'"};
}

Result<Json> RuntimeClient::ask_agent(const Caller& caller, const JsonObject& params) {
  const std::string target = text_field(params, "target");
  if (target.empty()) return without_target();
  const milliseconds time = time_for(caller, params, kDefaultRequestTime);
  const bool async = true_field(params, "async");
  const std::string id = make_id("req_");
  JsonObject payload = address(caller, params, id, "agent.request");
  payload["async"] = async;
  payload["timeoutMs"] = time.count();
  const Limit limit{.deadline = Clock::now() + time, .stop = caller.stop};
  RequestWaits::Wait wait(waits_, id);
  GDN_TRY(parts_.outbox.flush());
  GDN_TRY(parts_.link.send(ipc::MessageType::Delegate, std::move(payload), id));

  Result<Json> answer = wait.reply(limit);
  JsonObject result{{"target", target}, {"eventId", id},  {"correlationId", id},
                    {"accepted", true}, {"async", async}, {"response", nullptr}};
  if (answer.ok()) {
    for (const auto& field : object_or_empty(*answer)) {
      if (result.contains(field.key())) result[field.key()] = field.value();
    }
    if (async) return result;
    answer = wait.result(limit);
  }
  if (!answer.ok()) {
    const bool late = answer.error().code == ErrorCode::ToolTimeout;
    return late ? agent_timeout(target, time) : answer.error();
  }
  const JsonObject& outcome = object_or_empty(*answer);
  if (text_field(outcome, "status") != "ok") return error_from(any_field(outcome, "error"));
  const std::string event = text_field(outcome, "eventId");
  if (!event.empty()) result["eventId"] = event;
  result["response"] = any_field(outcome, "response");
  return result;
}

Result<Json> RuntimeClient::tell_agent(const Caller& caller, const JsonObject& params) {
  const std::string target = text_field(params, "target");
  if (target.empty()) return without_target();
  const std::string id = make_id("msg_");
  RequestWaits::Wait wait(waits_, id);
  GDN_TRY(parts_.outbox.flush());
  GDN_TRY(parts_.link.send_event("send", address(caller, params, id, "agent.send")));
  const Json answer = GDN_TRY(wait.reply(limit_of(caller)));
  const std::string event = text_field(object_or_empty(answer), "eventId");
  return JsonObject{
      {"target", target}, {"eventId", event.empty() ? id : event}, {"accepted", true}};
}

// The new instance may write in its `cwd`, so that must be where the caller may write.
Result<Json> RuntimeClient::spawn_agent(const Caller& caller, JsonObject params) {
  const std::string cwd = text_field(params, "cwd");
  if (cwd.empty()) {
    params.erase("cwd");
    return ask_orchestrator(caller, "agents.spawn", std::move(params));
  }
  const os::Workspace reach = GDN_TRY(parts_.workspaces->at(caller.scope.workdir));
  const os::RootedPath named = GDN_TRY(reach.resolve(cwd, os::Access::ReadWrite));
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::canonical(named.absolute, failed);
  if (failed || !std::filesystem::is_directory(folder, failed)) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "'cwd': '" + cwd + "' is not a folder",
                 .suggestion = "Make the folder first, or leave `cwd` out."};
  }
  GDN_TRY(reach.resolve(folder.string(), os::Access::ReadWrite));  // where links lead
  params["cwd"] = folder.string();
  return ask_orchestrator(caller, "agents.spawn", std::move(params));
}

// The orchestrator is to answer before the call has no time left, so that it can say how things
// stand.
Result<Json> RuntimeClient::wait_for_handle(const Caller& caller, JsonObject params) {
  const milliseconds most = time_left(caller) - kAnswerBeforeDeadline;
  const milliseconds wanted = time_for(caller, params, time_left(caller));
  params["timeoutMs"] = std::max(std::min(wanted, most), milliseconds{0}).count();
  return ask_orchestrator(caller, "handles.wait", std::move(params));
}

Result<Json> RuntimeClient::ask_orchestrator(const Caller& caller, std::string_view method,
                                             JsonObject params) {
  const std::string id = make_id("req_");
  RequestWaits::Wait wait(waits_, id);
  GDN_TRY(parts_.outbox.flush());
  GDN_TRY(parts_.link.send_event(
      "request", {{"requestId", id}, {"method", method}, {"params", std::move(params)}}));
  return wait.reply(limit_of(caller));
}

Result<void> RuntimeClient::enqueue(const SystemMessage& message, Deadline deadline,
                                    const std::stop_token& stop) {
  JsonObject payload{{"id", message.id},
                     {"target", message.target},
                     {"instanceKey", message.instance_key},
                     {"input", message.text},
                     {"eventType", message.event_type},
                     {"metadata", message.metadata},
                     {"systemSource", message.source}};
  if (!message.origin.is_null()) payload["origin"] = message.origin;
  if (!message.auth.is_null()) payload["auth"] = message.auth;
  RequestWaits::Wait wait(waits_, message.id);
  GDN_TRY(parts_.link.send_event("send", std::move(payload)));
  GDN_TRY(wait.reply({.deadline = deadline, .stop = stop}));
  return {};
}

void RuntimeClient::on_reply(const JsonObject& payload) {
  const std::string id = text_field(payload, "requestId");
  const Json error = any_field(payload, "error");
  waits_.on_reply(id, error.is_null() ? Result<Json>(any_field(payload, "result"))
                                      : Result<Json>(error_from(error)));
}

void RuntimeClient::on_result(const ipc::Message& message) {
  waits_.on_result(message.correlation_id, message.payload);
}

}  // namespace goondan::agent
