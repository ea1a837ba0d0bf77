// Results of calls as they lie in the store until they become messages.
#pragma once

#include <optional>
#include <string>

#include <goondan/tool.h>

namespace goondan::agent {

std::string result_to_store(const ToolCallResult& result);

// Nothing if it is none.
std::optional<ToolCallResult> result_from_store(const ToolCall& call, const std::string& text);

}  // namespace goondan::agent
