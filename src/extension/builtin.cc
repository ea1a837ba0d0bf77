#include <algorithm>
#include <array>
#include <utility>

#include "extension/extension.h"
#include "extension/shipped/shipped.h"
#include "resource/builtin_names.h"

namespace goondan {
namespace {

using Named = std::pair<std::string_view, RegisterExtension>;

constexpr std::array<Named, kBuiltinExtensions.size()> kShipped{{
    {"logging", shipped::register_logging},
    {"message-window", shipped::register_message_window},
    {"message-compaction", shipped::register_message_compaction},
    {"tool-search", shipped::register_tool_search},
    {"context-message", shipped::register_context_message},
    {"required-tools-guard", shipped::register_required_tools_guard},
    {"loop-guard", shipped::register_loop_guard},
    {"inter-agent-response-format", shipped::register_inter_agent_response_format},
    {"oauth", shipped::register_oauth},
}};

}  // namespace

RegisterExtension find_builtin_extension(std::string_view name) {
  const auto found = std::ranges::find(kShipped, name, &Named::first);
  return found == kShipped.end() ? nullptr : found->second;
}

}  // namespace goondan
