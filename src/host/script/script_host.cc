#include "host/script/script_host.h"

#include <algorithm>
#include <array>

namespace goondan {

std::shared_ptr<Peer> make_script_host(ScriptOptions) {
  return nullptr;
}

bool is_script_entry(std::string_view entry) {
  constexpr std::array<std::string_view, 6> kScript{".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"};
  return std::ranges::any_of(kScript,
                             [entry](std::string_view ending) { return entry.ends_with(ending); });
}

Result<std::string> load_script(Peer&, const Bundle&, std::string_view entry, std::string_view) {
  return Error{.code = ErrorCode::HostUnavailable,
               .message = "'" + std::string(entry) + "' cannot be loaded"};
}

Result<void> add_script_tool(ToolRegistry&, const Bundle&, const ToolResource& tool,
                             const std::shared_ptr<Peer>&) {
  return Error{.code = ErrorCode::HostUnavailable,
               .message = "'" + tool.entry + "' cannot be loaded"};
}

}  // namespace goondan
