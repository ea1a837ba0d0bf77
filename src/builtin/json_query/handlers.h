// The exports of `json-query`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::json_query {

// Larger documents are refused. Checking this much takes about 0.2 seconds.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{256} << 20;

Result<Json> query(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> pick(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> count(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> flatten(const Services& services, ToolContext& context, const JsonObject& input);

}  // namespace goondan::builtin::json_query
