// Tool calls and their results belong together: models refuse a conversation in which a call has no
// result, or a result no call.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/tool.h>

#include "model/message.h"

namespace goondan::agent {

// The ids of the calls in an assistant's message; none for other messages. Borrowed from it.
std::vector<std::string_view> call_ids(const Message& message);

// Whether each assistant's message is followed by the results of its calls, in their order and
// exactly one for each, and there are no other results.
bool paired(std::span<const Message> messages);

// The same conversation, so that this is true: results are moved behind their calls, missing ones
// filled in as `not_run`, others left out.
std::vector<Message> with_pairs(std::span<const Message> messages);

// The result of a call that was never run, or of which nobody knows any more what came of it.
ToolCallResult not_run(const ToolCall& call);

// The result of a call that a crash met in its middle.
ToolCallResult interrupted(const ToolCall& call);

// What the last assistant's message still waits for.
struct OpenCalls {
  const Message* message = nullptr;  // null: there is no assistant's message
  std::vector<ToolCall> calls = {};  // that have no result behind it
};
OpenCalls open_calls(std::span<const Message> messages);

}  // namespace goondan::agent
