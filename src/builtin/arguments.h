// Reading a call's arguments. The schema has been checked: a value that is there has its type.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::builtin {

// The string under `key`; nothing if there is none.
std::optional<std::string_view> text_argument(const JsonObject& input, std::string_view key);

// The first of `keys` that is there and not empty: a parameter and its aliases, canonical first.
std::optional<std::string_view> text_argument(const JsonObject& input,
                                              std::initializer_list<std::string_view> keys);

std::optional<double> number_argument(const JsonObject& input, std::string_view key);
std::optional<bool> flag_argument(const JsonObject& input, std::string_view key);
const JsonArray* array_argument(const JsonObject& input, std::string_view key);
const JsonObject* object_argument(const JsonObject& input, std::string_view key);

// `E_TOOL_INVALID_ARGS` with a message that begins with `'key'`, for what a schema cannot say.
Error invalid_argument(std::string_view key, std::string_view problem);

// How long it takes to end what a call does: next to nothing, or up to `os::kAnswerAfterDeadline`.
enum class Ending { Quick, Slow };

// Whose limit it is: the argument `timeoutMs`, or what the operator allows every call.
enum class LimitedBy { Argument, Operator };

struct CallLimit {
  Deadline deadline;
  LimitedBy by;
};

// When a call with this `timeoutMs` must be over: that, but a little before the call's own
// deadline, so that there is time to answer with what has been done so far.
CallLimit limit_within(const ToolContext& context, std::chrono::milliseconds timeout,
                       Ending ending);
Deadline deadline_within(const ToolContext& context, std::chrono::milliseconds timeout,
                         Ending ending);

// How to get more time, as a sentence.
std::string more_time(LimitedBy by);

}  // namespace goondan::builtin
