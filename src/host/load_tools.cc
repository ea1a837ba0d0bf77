// Each tool of a bundle goes to the host that its entry's ending calls for.
#include <array>
#include <cstdio>

#include <goondan/goondan.h>

#include "base/json_fields.h"
#include "host/native/load_native.h"
#include "host/script/script_host.h"
#include "host/script/script_tool.h"

namespace goondan {
namespace {

bool is_native_entry(std::string_view entry) {
  constexpr std::array<std::string_view, 4> kNative{".so", ".cc", ".cpp", ".cxx"};
  return std::ranges::any_of(kNative,
                             [entry](std::string_view ending) { return entry.ends_with(ending); });
}

// What scripts print goes to standard error, as what plugins print does.
class PrintedLines final : public PeerListener {
 public:
  void on_notify(const std::string& method, const Json& params) override {
    if (method != "log") return;
    const std::string line = text_field(object_or_empty(params), "text") + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  Result<Json> on_request(const std::string& method, const Json&) override {
    return Error{.code = ErrorCode::NotFound, .message = "nobody answers '" + method + "' here"};
  }
};

// Made when the first script tool needs it: most bundles have none.
std::shared_ptr<Peer> script_host(const Bundle& bundle, const LoadOptions& options,
                                  std::shared_ptr<Peer>& own) {
  if (options.scripts) return options.scripts;
  if (own) return own;
  own = make_script_host({.bundle_root = bundle.root()});
  own->listen(std::make_shared<PrintedLines>());
  return own;
}

Result<void> add_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                      const LoadOptions& options, std::shared_ptr<Peer>& own) {
  if (is_native_entry(tool.entry)) return add_native_tool(registry, bundle, tool, options.stop);
  if (!is_script_entry(tool.entry)) {
    return Error{.code = ErrorCode::PluginLoad,
                 .message = "tool '" + tool.meta.name + "': nothing is known about running '" +
                            tool.entry + "'",
                 .suggestion =
                     "Let `entry` end in .ts or .js for a script, in .so, or in .cc for a plugin "
                     "built when needed."};
  }
  const auto script =
      std::make_shared<ScriptTool>(bundle.root(), tool, script_host(bundle, options, own));
  if (!options.only.empty()) GDN_TRY(script->module(Deadline::max(), options.stop));
  return ScriptTool::add(registry, script);
}

}  // namespace

Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              const LoadOptions& options) {
  std::shared_ptr<Peer> own;  // kept alive by the handlers that use it
  for (const ToolResource& tool : bundle.tools()) {
    if (!options.only.empty() && tool.meta.name != options.only) continue;
    GDN_TRY(add_tool(registry, bundle, tool, options, own));
  }
  return {};
}

}  // namespace goondan
