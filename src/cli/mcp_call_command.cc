#include <goondan/goondan.h>

#include "agent/server_secrets.h"
#include "base/redactor.h"
#include "cli/call_parts.h"
#include "cli/mcp_session.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "host/mcp/progress_gate.h"
#include "host/mcp/results.h"

namespace goondan::cli {
namespace {

// What the server was given, and must not come back in a result.
std::shared_ptr<Redactor> redactor_for(const McpTarget& target) {
  std::shared_ptr<Redactor> redactor = make_redactor();
  for (const std::string& secret : agent::server_secrets(target.resource, target.environment))
    redactor->add_secret(secret);
  return redactor;
}

// Serves one call, in this process and with the user looking on.
struct CallOfTool {
  std::shared_ptr<mcp::Client> client;
  std::string server;
  std::shared_ptr<const McpOfferedTool> tool;

  Result<Json> operator()(ToolContext& context, const JsonObject& input) const {
    const auto gate = std::make_shared<McpProgressGate>(context);
    const Result<Json> answer =
        client->call_tool(tool->info, input,
                          {.deadline = context.deadline(),
                           .stop = context.stop(),
                           .on_progress = [gate](const Progress& news) { gate->pass(news); }});
    gate->close();
    if (!answer.ok()) return answer.error();
    McpResultFiles files({.workdir = context.workdir(),
                          .server = server,
                          .tool = tool->info.name,
                          .call_id = std::string(context.tool_call_id())});
    McpOutput output = GDN_TRY(mcp_output(*answer, files));
    if (output.removed > 0) {
      context.log(LogLevel::Warn, std::to_string(output.removed) +
                                      " hidden characters were removed from the result");
    }
    return std::move(output.value);
  }
};

Result<void> register_tool(ToolRegistry& registry, const McpSession& session,
                           const std::shared_ptr<const McpOfferedTool>& tool) {
  const McpTarget& target = session.target();
  return registry.add({.item = {.name = tool->visible,
                                .description = tool->description,
                                .parameters = tool->schema,
                                .source = {.type = ToolSourceType::Mcp,
                                           .name = tool->visible,
                                           .mcp_extension = target.extension,
                                           .mcp_server = target.resource.name}},
                       .handler = CallOfTool{session.shared_client(), target.resource.name, tool}});
}

Error disabled_tool(const McpOfferedTool& tool, const McpTarget& target) {
  return {.code = ErrorCode::McpToolChanged,
          .message = "the tool '" + tool.info.name + "' is disabled: " + tool.disabled,
          .suggestion = "`gdn mcp approve " + target.resource.name + "` shows what has changed."};
}

Result<ExitCode> call(const McpCallRequest& request, const Interrupt& interrupt) {
  const auto scope = GDN_TRY(make_call_scope(request.workdir));
  const McpTarget target = GDN_TRY(choose_mcp_server(request.where));
  const auto progress = make_progress_line();
  progress->begin("connecting to " + target.label);
  Result<McpSession> opened = McpSession::open(target, request.where, interrupt.token());
  progress->end();
  McpSession session = GDN_TRY(std::move(opened));
  const auto listing = GDN_TRY(session.list_tools());
  if (listing->pins_problem) return *listing->pins_problem;
  const auto tool = GDN_TRY(find_mcp_tool(*listing, request.tool, target));
  if (!tool->disabled.empty()) return disabled_tool(*tool, target);
  ToolRegistry registry;
  GDN_TRY(register_tool(registry, session, tool));
  const ToolCatalog catalog(registry);
  const ToolCall tool_call =
      GDN_TRY(make_tool_call({tool->visible, request.words, request.input}, catalog, interrupt));
  const ToolExecutor executor(
      registry,
      {.timeout = kMcpTimeout, .observers = {progress}, .redactor = redactor_for(target)});
  const ToolCallResult result =
      executor.run(catalog, tool_call,
                   {.scope = scope, .stop = interrupt.token(), .timeout = request.where.timeout});
  return finish_call(executor, result, request.json, interrupt);
}

}  // namespace

ExitCode run_mcp_call(const McpCallRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(call(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
