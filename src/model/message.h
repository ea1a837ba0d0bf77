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
//       {type: "tool-call", toolCallId, toolName, input, inputText?}
//           inputText: what the model sent where that is not a JSON object; `input` is then `{}`
//       {type: "opaque", provider, block}   what this provider wants back unchanged (thinking)
//   {role: "tool", toolCallId, toolName, status: ok | error | pending, output}
//       output: the output, or {status: "error", error}, or {status: "pending", handle, output?}.
//       `status` is what counts: a tool may itself return something that looks like an error.
// A value; messages are made by the functions below and read back with `from_json`.
struct Message {
  std::string id = {};
  Json data = nullptr;
  JsonObject metadata = {};
  std::string created_at = {};
  Json source = nullptr;  // {type: user | assistant | tool | system | extension, ...}

  [[nodiscard]] Role role() const;
  [[nodiscard]] std::string text() const;  // all its text parts
  // Of an assistant's message. A call with an `input_problem` has the text that could not be read
  // as its `input`.
  [[nodiscard]] std::vector<ToolCall> tool_calls() const;
  [[nodiscard]] std::string tool_call_id() const;  // of a tool's message
  [[nodiscard]] Json to_json() const;
  // Fails with `E_JSON_PARSE`, which names the field that is missing or of the wrong type.
  static Result<Message> from_json(const Json& value);

  // With a new id and the time of now.
  static Message user(std::string text, JsonObject metadata = {});
  static Message tool_result(const ToolCallResult& result);

  friend bool operator==(const Message&, const Message&) = default;
};

// Deeper arguments are not read. A message, and the frames that carry it, put some levels of their
// own around them, and must stay within what `parse_json` reads.
inline constexpr std::size_t kMaxArgumentDepth = 48;

// `ToolCall::from_text`, but the text that could not be read becomes the call's `input`, so that it
// can be shown and sent back.
ToolCall call_from_text(std::string id, std::string name, std::string_view arguments);

// `Message::data` of an assistant is made of such parts.
JsonObject text_part(std::string_view text);
JsonObject tool_call_part(const ToolCall& call);
JsonObject opaque_part(std::string_view provider, Json block);

// What the model reads of a tool's message: the output as text (a string as it is, other JSON
// compact), or `ERROR: message` with lines `CODE:`, `SUGGESTION:`, `HELP:`, or for a pending call a
// sentence with the handle and the output.
std::string tool_message_text(const Message& message);
bool tool_message_is_error(const Message& message);

}  // namespace goondan
