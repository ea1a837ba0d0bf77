// One message of a conversation, as it is stored, shown to handlers, and sent to models.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

enum class Role { System, User, Assistant, Tool };

// `{id, data, metadata, createdAt, source}`. `data` is one of
//   {role: "user" | "system", content: "text"}
//   {role: "assistant", content: [part, ...]} with the parts
//       {type: "text", text}
//       {type: "tool-call", toolCallId, toolName, input, inputText?}   inputText: what the model
//       sent
//                                                                     where it is not a JSON object
//       {type: "opaque", provider, block}   what this provider wants back unchanged (thinking)
//   {role: "tool", toolCallId, toolName, output}   output: the output, or {status: "error", error},
//                                                  or {status: "pending", handle, output?}
// A value; messages are made by the functions below and read back with `from_json`.
struct Message {
  std::string id = {};
  Json data = nullptr;
  JsonObject metadata = {};
  std::string created_at = {};
  Json source = nullptr;  // {type: user | assistant | tool | system | extension, ...}

  [[nodiscard]] Role role() const;
  [[nodiscard]] std::string text() const;                  // all its text parts
  [[nodiscard]] std::vector<ToolCall> tool_calls() const;  // of an assistant's message
  [[nodiscard]] std::string tool_call_id() const;          // of a tool's message
  [[nodiscard]] Json to_json() const;
  static Result<Message> from_json(const Json& value);

  static Message user(std::string text, JsonObject metadata = {});
  static Message tool_result(const ToolCallResult& result);

  friend bool operator==(const Message&, const Message&) = default;
};

// What the model reads of a tool's message: the output as text (a string as it is, other JSON
// compact), or `ERROR: message` with lines `CODE:`, `SUGGESTION:`, `HELP:`, or for a pending call a
// sentence with the handle and the output.
std::string tool_message_text(const Message& message);
bool tool_message_is_error(const Message& message);

}  // namespace goondan
