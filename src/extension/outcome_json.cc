#include "extension/outcome_json.h"

#include <algorithm>

#include "base/json_fields.h"

namespace goondan {
namespace {

Json calls_json(const std::vector<ToolCall>& calls) {
  JsonArray all;
  for (const ToolCall& call : calls)
    all.push_back(JsonObject{{"id", call.id}, {"name", call.name}, {"args", call.input}});
  return all;
}

Error no_result(const std::string& problem) {
  return {.code = ErrorCode::ToolBadReply,
          .message = "what the middleware returned is no result: " + problem,
          .suggestion =
              "Return what next() gave, or {status: \"ok\", output} or {status: "
              "\"error\", error: {message}}."};
}

// A text, or a message with text in it.
std::optional<std::string> response_text(const JsonObject& value) {
  const Json* response = value.if_contains("responseMessage");
  if (response == nullptr || response->is_null()) return std::nullopt;
  if (response->is_string()) return std::string(response->get_string());
  Result<Message> message = Message::from_json(*response);
  return message.ok() ? std::optional(message->text()) : std::nullopt;
}

// An object, or only a text; without either there is still something to say.
Error error_of(const Json& value) {
  Error error = error_from(value);
  if (value.is_string()) error.message = value.get_string();
  if (error.message.empty()) error.message = "the middleware says that it failed, but not why";
  return error;
}

}  // namespace

Result<ToolCallResult> result_from_json(const ToolCall& call, const Json& value) {
  const JsonObject* object = value.if_object();
  if (object == nullptr) return no_result("it is not an object");
  const std::string status = text_field(*object, "status");
  if (status == "ok") return ToolCallResult::success(call, any_field(*object, "output"));
  if (status == "error")
    return ToolCallResult::failure(call, error_of(any_field(*object, "error")));
  if (status == "pending") {
    std::string handle = text_field(*object, "handle");
    if (handle.empty()) return no_result("it is pending and has no `handle`");
    std::optional<Json> output;
    if (const Json* given = object->if_contains("output")) output = *given;
    return ToolCallResult::pending(call, std::move(handle), std::move(output));
  }
  return no_result(status.empty() ? "it has no `status`" : "its `status` is '" + status + "'");
}

Json step_result_json(const StepResult& result) {
  JsonArray results;
  for (const ToolCallResult& one : result.results)
    results.push_back(one.to_json());
  const bool completed = result.status == StepResult::Status::Completed;
  JsonObject json{{"status", completed ? "completed" : "failed"},
                  {"shouldContinue", result.should_continue},
                  {"toolCalls", calls_json(result.calls)},
                  {"toolResults", std::move(results)}};
  if (result.error) json["error"] = error_json(*result.error);
  return json;
}

StepResult changed_step_result(StepResult inner, const JsonObject& value) {
  const Json* more = value.if_contains("shouldContinue");
  if (more != nullptr && more->is_bool()) inner.should_continue = more->get_bool();
  const std::string status = text_field(value, "status");
  if (status == "completed") {
    inner.status = StepResult::Status::Completed;
    inner.error.reset();
  }
  if (status != "failed") return inner;
  inner.status = StepResult::Status::Failed;
  const Json* error = value.if_contains("error");
  if (error != nullptr || !inner.error) inner.error = error_of(any_field(value, "error"));
  return inner;
}

Json turn_outcome_json(const TurnOutcome& outcome, const std::string& turn_id) {
  JsonObject json{{"turnId", turn_id}, {"finishReason", outcome.finish_reason}};
  if (outcome.status == TurnStatus::Ok) json["responseMessage"] = outcome.response;
  if (outcome.error) json["error"] = error_json(*outcome.error);
  return json;
}

TurnOutcome changed_turn_outcome(TurnOutcome inner, const JsonObject& value) {
  const Json error = any_field(value, "error");
  if (!error.is_null())
    return {.status = TurnStatus::Error, .error = error_of(error), .finish_reason = "error"};
  const std::optional<std::string> response = response_text(value);
  if (!response) return inner;
  inner.status = TurnStatus::Ok;
  inner.error.reset();
  inner.response = *response;
  if (inner.finish_reason == "error") inner.finish_reason = "text_response";
  return inner;
}

Result<JsonArray> blocks_from_json(const Json& value) {
  const JsonArray* blocks = value.if_array();
  const auto is_object = [](const Json& block) { return block.is_object(); };
  if (blocks != nullptr && std::ranges::all_of(*blocks, is_object)) return *blocks;
  return Error{.code = ErrorCode::Middleware,
               .message = "the blocks that the middleware made are no list of objects",
               .suggestion = "A block is e.g. {type: \"note\", text: \"...\"}."};
}

Json input_event_json(const TurnMessage& message) {
  return JsonObject{{"id", message.id},
                    {"type", message.event_type},
                    {"input", message.input},
                    {"source", message.source},
                    {"metadata", message.metadata},
                    {"createdAt", message.created_at}};
}

}  // namespace goondan
