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

// Made when the first script tool needs one: most bundles have none. Kept alive by the handlers
// that use them.
class OwnHosts {
 public:
  OwnHosts(const Bundle& bundle, const LoadOptions& options)
      : root_(bundle.root()), any_(options.scripts), node_(options.node_scripts) {}

  std::shared_ptr<Peer> of(Dialect dialect) {
    const ScriptProgram program = program_of(dialect);
    std::shared_ptr<Peer>& host = program == ScriptProgram::Node ? node_ : any_;
    if (host) return host;
    host = make_script_host({.bundle_root = root_, .program = program});
    host->listen(std::make_shared<PrintedLines>());
    return host;
  }

 private:
  std::filesystem::path root_;
  std::shared_ptr<Peer> any_;
  std::shared_ptr<Peer> node_;
};

Result<void> add_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                      const LoadOptions& options, OwnHosts& hosts) {
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
      std::make_shared<ScriptTool>(bundle.root(), tool, hosts.of(tool.meta.dialect), options.place);
  if (!options.only.empty()) GDN_TRY(script->module(Deadline::max(), options.stop));
  return ScriptTool::add(registry, script);
}

}  // namespace

Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              const LoadOptions& options) {
  OwnHosts hosts(bundle, options);
  for (const ToolResource& tool : bundle.tools()) {
    if (!options.only.empty() && tool.meta.name != options.only) continue;
    GDN_TRY(add_tool(registry, bundle, tool, options, hosts));
  }
  return {};
}

}  // namespace goondan
