#include <goondan/tool.h>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "tool/call_status.h"

namespace goondan {
namespace {

constexpr std::string_view kTruncated = "... (truncated)";

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::string_view status_name(CallStatus status) {
  switch (status) {
    case CallStatus::Ok:
      return "ok";
    case CallStatus::Error:
      return "error";
    case CallStatus::Pending:
      return "pending";
  }
  return "error";
}

ToolCall ToolCall::from_text(std::string id, std::string name, std::string_view arguments) {
  ToolCall call{.id = std::move(id), .name = std::move(name)};
  if (blank(arguments)) return call;
  Result<Json> parsed = parse_json(arguments);
  if (parsed.ok()) {
    call.input = *std::move(parsed);
  } else {
    call.input_problem = std::move(parsed).error().message;
  }
  return call;
}

ToolCallResult ToolCallResult::success(const ToolCall& call, Json output) {
  return {.tool_call_id = call.id,
          .tool_name = call.name,
          .status = CallStatus::Ok,
          .output = std::move(output)};
}

ToolCallResult ToolCallResult::failure(const ToolCall& call, Error error) {
  return {.tool_call_id = call.id,
          .tool_name = call.name,
          .status = CallStatus::Error,
          .error = std::move(error)};
}

ToolCallResult ToolCallResult::pending(const ToolCall& call, std::string handle,
                                       std::optional<Json> output) {
  return {.tool_call_id = call.id,
          .tool_name = call.name,
          .status = CallStatus::Pending,
          .output = std::move(output),
          .handle = std::move(handle)};
}

Json ToolCallResult::to_json() const {
  JsonObject object{
      {"toolCallId", tool_call_id}, {"toolName", tool_name}, {"status", status_name(status)}};
  if (handle) object["handle"] = *handle;
  if (output) object["output"] = *output;
  if (error) object["error"] = error_json(*error);
  return object;
}

Json ToolSource::to_json() const {
  switch (type) {
    case ToolSourceType::Config:
      return {{"type", "config"}, {"name", name}};
    case ToolSourceType::Extension:
      return {{"type", "extension"}, {"name", name}};
    case ToolSourceType::Mcp:
      break;
  }
  JsonObject mcp{{"extensionName", mcp_extension}};
  if (!mcp_server.empty()) mcp["serverName"] = mcp_server;
  return {{"type", "mcp"}, {"name", name}, {"mcp", std::move(mcp)}};
}

std::string truncate_error_message(std::string_view message, std::size_t limit) {
  if (message.size() <= limit) return utf8::repaired(message);
  if (utf8::length(message) <= limit) return utf8::repaired(message);
  if (limit <= kTruncated.size()) return utf8::repaired(utf8::prefix(message, limit));
  return utf8::repaired(utf8::prefix(message, limit - kTruncated.size())) + std::string(kTruncated);
}

}  // namespace goondan
