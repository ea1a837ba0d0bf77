// The extensions that ship with goondan; `docs/shipped-extensions.md` describes each. One function
// an extension; `builtin.cc` is the only list of them.
//
// Their layers never throw. What one cannot do (the store fails, say) it logs and leaves; the turn
// goes on.
#pragma once

#include "extension/extension.h"

namespace goondan::shipped {

Result<void> register_logging(ExtensionSite& site, const JsonObject& config);
Result<void> register_message_window(ExtensionSite& site, const JsonObject& config);
Result<void> register_message_compaction(ExtensionSite& site, const JsonObject& config);
Result<void> register_tool_search(ExtensionSite& site, const JsonObject& config);
Result<void> register_context_message(ExtensionSite& site, const JsonObject& config);
Result<void> register_required_tools_guard(ExtensionSite& site, const JsonObject& config);
Result<void> register_loop_guard(ExtensionSite& site, const JsonObject& config);
Result<void> register_inter_agent_response_format(ExtensionSite& site, const JsonObject& config);
Result<void> register_oauth(ExtensionSite& site, const JsonObject& config);

}  // namespace goondan::shipped
