#include "cli/mcp_session.h"

#include "base/log_level.h"
#include "base/nearest.h"
#include "cli/terminal.h"
#include "host/mcp/pins.h"
#include "host/mcp/server_start.h"

namespace goondan::cli {
namespace {

// What servers say beside their answers, like the log lines of a tool.
void print_log(const std::string& label, LogLevel level, std::string_view text) {
  print_passing_line("[" + std::string(level_name(level)) + "] " + printable(label) + ": " +
                     printable(text));
}

// To whoever waits for a connection, a server that says nothing is one that is not there.
Error connect_problem(Error error, const McpTarget& target) {
  if (error.code != ErrorCode::ToolTimeout) return error;
  error.code = ErrorCode::McpServer;
  error.suggestion = target.resource.url.empty()
                         ? "See whether its command starts an MCP server that speaks over standard "
                           "input and output; allow more time with --timeout-ms."
                         : "See whether the address is that of an MCP server; allow more time with "
                           "--timeout-ms.";
  return error;
}

}  // namespace

Result<McpSession> McpSession::open(McpTarget target, const McpServerChoice& choice,
                                    const std::stop_token& stop) {
  const net::HostPolicy hosts;
  McpServerStart start = GDN_TRY(prepare_mcp_server(
      target.resource,
      {.bundle_root = target.root, .environment = target.environment, .hosts = hosts}));
  start.server.name = target.label;
  McpSession session;
  session.target_ = std::move(target);
  session.stop_ = stop;
  if (choice.timeout.count() > 0) session.timeout_ = choice.timeout;
  mcp::Services services = GDN_TRY(mcp_services(choice));
  const Deadline deadline = Clock::now() + session.timeout_;
  Result<std::unique_ptr<mcp::Client>> connected = mcp::Client::connect(
      start.server, {.deadline = deadline,
                     .stop = stop,
                     .era = choice.era,
                     .services = std::move(services),
                     .hosts = start.hosts,
                     .log = [label = session.target_.label, least = choice.log](
                                LogLevel level, std::string_view text) {
                       if (level >= least) print_log(label, level, text);
                     }});
  if (!connected.ok()) return connect_problem(connected.error(), session.target_);
  session.client_ = *std::move(connected);
  return session;
}

mcp::RequestOptions McpSession::limits() const {
  return {.deadline = Clock::now() + timeout_, .stop = stop_};
}

Result<std::shared_ptr<const McpListing>> McpSession::list_tools() {
  Result<mcp::ToolList> listed = client_->list_tools(limits());
  if (!listed.ok()) {
    const bool none =
        listed.error().code == ErrorCode::Mcp && !client_->info().capabilities.contains("tools");
    if (!none) return std::move(listed).error();
    listed = mcp::ToolList{};
  }
  const McpServerResource& resource = target_.resource;
  McpLog log({});  // what it would say is shown by whoever asks for the list
  return make_mcp_listing(*std::move(listed),
                          {.scope = {.bundle = mcp_pin_bundle(target_.root),
                                     .extension = target_.extension,
                                     .server = resource.name,
                                     .trust = resource.trust},
                           .pins = target_.pins,
                           .only_tools = resource.only_tools},
                          log);
}

Result<std::shared_ptr<const McpOfferedTool>> find_mcp_tool(const McpListing& listing,
                                                            const std::string& name,
                                                            const McpTarget& target) {
  std::vector<std::string_view> names;
  for (const auto& tool : listing.tools) {
    if (tool->info.name == name || tool->visible == name) return tool;
    names.push_back(tool->info.name);
  }
  const std::string_view near = nearest(name, names);
  const std::string again = "`gdn mcp tools` lists them.";
  return Error{.code = ErrorCode::NotFound,
               .message = "the MCP server '" + target.label + "' has no tool '" + name + "'",
               .suggestion = near.empty() ? again : "Did you mean " + std::string(near) + "?"};
}

}  // namespace goondan::cli
