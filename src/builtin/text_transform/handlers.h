// The exports of `text-transform`. Positions and lengths count code points.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::text_transform {

// No export makes a text larger than this, or more parts: a short text, replaced often enough by a
// long one, could fill the memory.
inline constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMaxParts = 5'000'000;

Result<Json> replace(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> slice(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> split(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> join(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> trim(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> change_case(const Services& services, ToolContext& context, const JsonObject& input);

}  // namespace goondan::builtin::text_transform
