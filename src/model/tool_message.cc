#include "base/ids.h"
#include "base/json_fields.h"
#include "model/message.h"
#include "tool/call_status.h"

namespace goondan {
namespace {

Json output_of(const ToolCallResult& result) {
  if (result.status == CallStatus::Ok) return result.output.value_or(nullptr);
  JsonObject output{{"status", status_name(result.status)}};
  if (result.handle) output["handle"] = *result.handle;
  if (result.output) output["output"] = *result.output;
  if (result.error) output["error"] = error_json(*result.error);
  return output;
}

std::string output_text(const Json& output) {
  return output.is_string() ? std::string(output.get_string()) : to_text(output);
}

std::string error_text(const Error& error) {
  std::string text = "ERROR: " + error.message + "\nCODE: " + std::string(error.code_text());
  if (!error.suggestion.empty()) text += "\nSUGGESTION: " + error.suggestion;
  if (!error.help_url.empty()) text += "\nHELP: " + error.help_url;
  if (error.code == ErrorCode::ToolInvalidArgs) {
    text += "\nFix the arguments to match the tool's parameters and call it again.";
  }
  return text;
}

std::string pending_text(const JsonObject& output) {
  const std::string handle = text_field(output, "handle");
  std::string text = "PENDING: the work goes on in the background under the handle '" + handle +
                     "'. Its result will arrive by itself in a later message; "
                     "to wait for it now, call handles__wait with this handle.";
  if (const Json* so_far = output.if_contains("output")) text += "\n" + output_text(*so_far);
  return text;
}

// Messages that do not say their status are judged by what their output looks like.
std::string tool_status(const JsonObject& data) {
  std::string status = text_field(data, "status");
  if (!status.empty()) return status;
  const JsonObject* found = object_field(data, "output");
  if (found == nullptr) return "ok";
  const JsonObject& output = *found;
  status = text_field(output, "status");
  const bool error = status == "error" && object_field(output, "error") != nullptr;
  const bool pending = status == "pending" && !text_field(output, "handle").empty();
  return error || pending ? status : "ok";
}

}  // namespace

Message Message::tool_result(const ToolCallResult& result) {
  return {
      .id = make_id("msg_"),
      .data = {{"role", "tool"},
               {"toolCallId", result.tool_call_id},
               {"toolName", result.tool_name},
               {"status", status_name(result.status)},
               {"output", output_of(result)}},
      .created_at = iso_now(),
      .source = {
          {"type", "tool"}, {"toolCallId", result.tool_call_id}, {"toolName", result.tool_name}}};
}

std::string tool_message_text(const Message& message) {
  const JsonObject& data = object_or_empty(message.data);
  const Json output = any_field(data, "output");
  const std::string status = tool_status(data);
  if (status == "error") return error_text(error_from(any_field(object_or_empty(output), "error")));
  if (status == "pending") return pending_text(object_or_empty(output));
  return output_text(output);
}

bool tool_message_is_error(const Message& message) {
  return tool_status(object_or_empty(message.data)) == "error";
}

}  // namespace goondan
