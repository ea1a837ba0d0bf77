#include <filesystem>

#include <goondan/goondan.h>

#include "builtin/load.h"
#include "cli/bundle_choice.h"
#include "cli/call_grants.h"
#include "cli/call_parts.h"
#include "cli/call_tokens.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "resource/bundle_files.h"

namespace goondan::cli {
namespace {

// The tool that has an export of this name; null if none has.
const ToolResource* tool_of(const std::vector<ToolResource>& tools, const std::string& name) {
  for (const ToolResource& tool : tools) {
    for (const ToolExport& exported : tool.exports) {
      if (tool.visible_name(exported) == name) return &tool;
    }
  }
  return nullptr;
}

// A bundle's tools must not change the bundle. Whoever names its folder, or one in it, as the
// workdir means it.
std::vector<std::string> guarded_folders(const CallRequest& request, const Bundle& bundle) {
  std::error_code failed;
  const auto workdir = std::filesystem::canonical(request.workdir.value_or("."), failed);
  const bool meant = request.workdir && !failed && is_beneath(bundle.root(), workdir);
  return meant ? std::vector<std::string>{} : std::vector<std::string>{bundle.root().string()};
}

// Loads only the tool that is called, so that the others cost nothing.
Result<void> load_called(ToolRegistry& registry, const std::string& called,
                         const std::optional<Bundle>& bundle, BuiltinOptions builtin,
                         const Interrupt& interrupt) {
  const ToolResource* own = bundle ? tool_of(bundle->tools(), called) : nullptr;
  if (own != nullptr)
    return add_bundle_tools(registry, *bundle, {.only = own->meta.name, .stop = interrupt.token()});
  const ToolResource* shipped = tool_of(builtin_tools(), called);
  if (shipped == nullptr) return {};
  builtin.only = {shipped->meta.name};
  const std::string granted = bundle_grants(bundle);
  if (!granted.empty()) print_error_line("note: the bundle's policy grants " + granted);
  return add_builtin_tools(registry, builtin);
}

// Without a bundle there are the built-in tools only.
Error not_built_in(const ToolCatalog& catalog, const std::string& called) {
  const std::string near = catalog.nearest_name(called);
  return {
      .code = ErrorCode::ConfigFileNotFound,
      .message = "there is no built-in tool '" + called + "', and no goondan.yaml in this folder",
      .suggestion = (near.empty() ? "" : "Did you mean " + near + "? ") +
                    "Name the bundle with --bundle DIR, or make one with `gdn init`."};
}

// Tools of MCP servers are known only once their server runs: another command is for them.
Result<void> check_no_server(const Bundle& bundle, const std::string& called) {
  const std::optional<ToolName> name = ToolName::parse(called);
  for (const ExtensionResource& extension : bundle.extensions()) {
    for (const McpServerResource& server : extension.mcp_servers) {
      if (!name || name->resource != server.name) continue;
      return Error{.code = ErrorCode::Usage,
                   .message = "'" + called + "' is a tool of the MCP server '" + server.name + "'",
                   .suggestion = "gdn mcp call " + server.name + " " + name->export_name + " ..."};
    }
  }
  return {};
}

Result<ExitCode> call(const CallRequest& request, const Interrupt& interrupt) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(request.bundle));
  if (bundle) GDN_TRY(check_no_server(*bundle, request.tool));
  const Policy policy = GDN_TRY(call_policy(request, bundle));
  const std::shared_ptr<Redactor> redactor = make_redactor();
  const auto progress = make_progress_line();
  ToolRegistry registry;
  progress->begin("loading " + request.tool);
  const Result<void> loaded = load_called(
      registry, request.tool, bundle,
      {.policy = policy,
       .guarded_folders = bundle ? guarded_folders(request, *bundle) : std::vector<std::string>{},
       .redactor = redactor},
      interrupt);
  progress->end();
  GDN_TRY(loaded);
  const ToolCatalog catalog = GDN_TRY(callable_tools(bundle));
  if (!bundle && catalog.find(request.tool) == nullptr) return not_built_in(catalog, request.tool);
  const ToolCall tool_call =
      GDN_TRY(make_tool_call({request.tool, request.words, request.input}, catalog, interrupt));
  const auto scope =
      GDN_TRY(make_call_scope(request.workdir, GDN_TRY(turn_surroundings(request.turn))));
  const auto timeout = policy.tool_timeout.value_or(std::chrono::milliseconds{0});

  std::shared_ptr<CallRuntime> tokens;
  if (bundle && !bundle->oauth_apps().empty()) {
    tokens = std::make_shared<CallTokens>(
        AuthPlace{.bundle = request.bundle, .allow_hosts = request.allow_hosts}, *redactor);
  }
  const ToolExecutor executor(registry,
                              {.observers = {progress}, .runtime = tokens, .redactor = redactor});
  const ToolCallResult result =
      executor.run(catalog, tool_call,
                   {.scope = scope,
                    .stop = interrupt.token(),
                    .timeout = request.timeout.count() > 0 ? request.timeout : timeout});
  return finish_call(executor, result, request.json, interrupt);
}

}  // namespace

ExitCode run_call(const CallRequest& request) {
  const Interrupt interrupt;
  const Result<ExitCode> code = call(request, interrupt);
  if (code.ok()) return *code;
  print_error(code.error());
  return interrupt.requested() ? ExitCode::Interrupted : exit_code_for(code.error().code);
}

}  // namespace goondan::cli
