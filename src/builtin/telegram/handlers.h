// The exports of the tool `telegram`.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::telegram {

Result<Json> send(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> edit(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> remove(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> react(const Services& services, ToolContext& context, const JsonObject& input);
Result<Json> set_chat_action(const Services& services, ToolContext& context,
                             const JsonObject& input);
Result<Json> download_file(const Services& services, ToolContext& context, const JsonObject& input);

}  // namespace goondan::builtin::telegram
