// The vocabulary of tools: a name, a call, a handler, a result. Values throughout.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan {

// `<tool>__<export>`, the name a model sees. Neither half holds `__`.
struct ToolName {
  std::string resource;
  std::string export_name;

  // Splits at the first `__`; nothing if there is none or a half is empty.
  static std::optional<ToolName> parse(std::string_view full_name);

  // Joins the halves so that `parse` gives them back; refuses an empty half, one that holds `__`,
  // and a tool's name that ends in `_`.
  static Result<std::string> build(std::string_view resource, std::string_view export_name);

  friend bool operator==(const ToolName&, const ToolName&) = default;
};

// What a model asks for.
struct ToolCall {
  std::string id;
  std::string name;
  Json input = JsonObject{};
  // Why the text of the arguments could not be read. Not empty: the call is answered with it,
  // in its turn, and never with `{}` in place of what the model meant.
  std::string input_problem = {};

  // A call whose arguments are still text, as models send them. Empty text means no arguments.
  static ToolCall from_text(std::string id, std::string name, std::string_view arguments);
};

enum class CallStatus { Ok, Error, Pending };

// The one answer to a call: `output` if ok, `error` if not, `handle` (and perhaps `output`) if the
// work goes on elsewhere.
struct ToolCallResult {
  std::string tool_call_id;
  std::string tool_name;
  CallStatus status = CallStatus::Error;
  std::optional<Json> output = {};
  std::optional<Error> error = {};
  std::optional<std::string> handle = {};

  static ToolCallResult success(const ToolCall& call, Json output);
  static ToolCallResult failure(const ToolCall& call, Error error);
  static ToolCallResult pending(const ToolCall& call, std::string handle,
                                std::optional<Json> output);

  [[nodiscard]] bool ok() const { return status == CallStatus::Ok; }

  // `{toolCallId, toolName, status, output | error | handle}`; absent fields are left out.
  [[nodiscard]] Json to_json() const;

  friend bool operator==(const ToolCallResult&, const ToolCallResult&) = default;
};

// Does the work of one export. The input has passed the export's schema. Returning
// `{__async: true, handle: "...", ...}` makes the call pending.
using ToolHandler = std::function<Result<Json>(ToolContext&, const JsonObject&)>;

// On which thread a handler runs.
enum class HandlerThread {
  // On a thread of its own, so that a handler that never returns can be left behind.
  Own,
  // On the caller's. For handlers that return promptly or keep `deadline()` and `stop()`
  // themselves; a call then costs a fraction of a microsecond.
  Caller,
};

enum class ToolSourceType { Config, Extension, Mcp };

// Where a tool comes from, and who owns its registration.
struct ToolSource {
  ToolSourceType type = ToolSourceType::Config;
  std::string name = {};
  std::string mcp_extension = {};  // only for `Mcp`
  std::string mcp_server = {};     // only for `Mcp`; may be empty

  [[nodiscard]] Json to_json() const;

  friend bool operator==(const ToolSource&, const ToolSource&) = default;
};

// Cuts `message` to `limit` code points; the cut text ends in `... (truncated)` if that fits.
std::string truncate_error_message(std::string_view message, std::size_t limit);

}  // namespace goondan
