// Each tool of a bundle goes to the host that its entry's ending calls for.
#include <array>

#include <goondan/goondan.h>

#include "host/native/load_native.h"
#include "tool/declared.h"

namespace goondan {
namespace {

enum class EntryKind { Native, Script, Unknown };

EntryKind entry_kind(std::string_view entry) {
  constexpr std::array<std::string_view, 4> kNative{".so", ".cc", ".cpp", ".cxx"};
  constexpr std::array<std::string_view, 6> kScript{".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"};
  const auto ends = [entry](std::string_view ending) { return entry.ends_with(ending); };
  if (std::ranges::any_of(kNative, ends)) return EntryKind::Native;
  if (std::ranges::any_of(kScript, ends)) return EntryKind::Script;
  return EntryKind::Unknown;
}

Error no_script_host(const ToolResource& tool) {
  return {.code = ErrorCode::HostUnavailable,
          .message = "tool '" + tool.meta.name + "' (" + tool.entry +
                     "): JavaScript and TypeScript tools are not supported by this version",
          .suggestion = "Use a tool that is a native plugin."};
}

// Registered all the same, so that the rest of the bundle works and a call says what is wrong.
Result<void> add_script_tool(ToolRegistry& registry, const ToolResource& tool) {
  for (const ToolExport& exported : tool.exports) {
    GDN_TRY(registry.add({.item = declared_item(tool, exported),
                          .handler = [error = no_script_host(tool)](ToolContext&, const JsonObject&)
                              -> Result<Json> { return error; },
                          .thread = HandlerThread::Caller,
                          .error_message_limit = tool.error_message_limit}));
  }
  return {};
}

Result<void> add_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                      const LoadOptions& options) {
  switch (entry_kind(tool.entry)) {
    case EntryKind::Native:
      return add_native_tool(registry, bundle, tool, options.stop);
    case EntryKind::Script:
      if (!options.only.empty()) return no_script_host(tool);
      return add_script_tool(registry, tool);
    case EntryKind::Unknown:
      break;
  }
  return Error{.code = ErrorCode::PluginLoad,
               .message = "tool '" + tool.meta.name + "': nothing is known about running '" +
                          tool.entry + "'",
               .suggestion = "Let `entry` end in .so, or in .cc for a plugin built when needed."};
}

}  // namespace

Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              const LoadOptions& options) {
  for (const ToolResource& tool : bundle.tools()) {
    if (!options.only.empty() && tool.meta.name != options.only) continue;
    GDN_TRY(add_tool(registry, bundle, tool, options));
  }
  return {};
}

}  // namespace goondan
