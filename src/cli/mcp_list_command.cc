#include <thread>

#include <goondan/goondan.h>

#include "base/redactor.h"
#include "cli/interrupt.h"
#include "cli/mcp_session.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

// What became of one server. Without its pins a server is there, but none of its tools.
struct Seen {
  McpTarget target = {};
  std::optional<Error> problem = {};
  mcp::ServerInfo info = {};
  std::shared_ptr<const McpListing> listing = {};
};

Result<void> look(Seen& seen, const McpServerChoice& choice, const std::stop_token& stop) {
  McpSession session = GDN_TRY(McpSession::open(seen.target, choice, stop));
  seen.info = session.client().info();
  seen.listing = GDN_TRY(session.list_tools());
  seen.problem = seen.listing->pins_problem;
  return {};
}

// All at once: one that hangs does not make the others wait.
std::vector<Seen> look_at_all(std::vector<McpTarget> targets, const McpServerChoice& choice,
                              const std::stop_token& stop) {
  std::vector<Seen> all;
  for (McpTarget& target : targets)
    all.push_back({.target = std::move(target)});
  std::vector<std::jthread> threads;
  for (Seen& seen : all) {
    threads.emplace_back([&seen, &choice, &stop] {
      const Result<void> looked = look(seen, choice, stop);
      if (!looked.ok()) seen.problem = looked.error();
    });
  }
  threads.clear();
  return all;
}

std::string_view era_name(mcp::Era era) {
  switch (era) {
    case mcp::Era::Unknown:
      return "";
    case mcp::Era::Legacy:
      return "legacy";
    case mcp::Era::Modern:
      return "modern";
  }
  return "";
}

// Without what people put into addresses and arguments though they should not.
std::string where(const McpServerResource& server) {
  std::string text = server.command;
  for (const std::string& word : server.args)
    text += " " + word;
  const std::size_t query = server.url.find('?');
  text += query == std::string::npos ? server.url : server.url.substr(0, query) + "?...";
  return make_redactor()->redact(text);
}

std::size_t usable(const McpListing& listing) {
  return static_cast<std::size_t>(std::ranges::count_if(
      listing.tools, [](const auto& tool) { return tool->disabled.empty(); }));
}

Json seen_json(const Seen& seen) {
  JsonObject object{{"name", seen.target.resource.name},
                    {"extension", seen.target.extension},
                    {"status", seen.problem ? "failed" : "connected"}};
  if (seen.problem) object["problem"] = seen.problem->message;
  if (!seen.listing) return object;
  JsonArray tools;
  JsonArray disabled;
  for (const auto& tool : seen.listing->tools) {
    if (tool->disabled.empty()) {
      tools.push_back(JsonString(tool->info.name));
    } else {
      disabled.push_back({{"name", tool->info.name}, {"reason", tool->disabled}});
    }
  }
  object["era"] = era_name(seen.info.era);
  object["protocolVersion"] = seen.info.protocol_version;
  object["serverInfo"] = {{"name", seen.info.name}, {"version", seen.info.version}};
  object["tools"] = tools;
  object["disabled"] = disabled;
  return object;
}

void print_table(const std::vector<Seen>& all) {
  Table table({"SERVER", "STATUS", "ERA", "TOOLS", "WHERE"});
  for (const Seen& seen : all) {
    table.add({seen.target.resource.name, seen.problem ? "failed" : "connected",
               seen.problem ? "-" : std::string(era_name(seen.info.era)),
               seen.listing ? std::to_string(usable(*seen.listing)) : "-",
               where(seen.target.resource)});
  }
  print(table.text());
  for (const Seen& seen : all) {
    const std::string& name = seen.target.resource.name;
    if (seen.problem) print_error(*seen.problem);
    if (seen.problem || !seen.listing) continue;
    for (const auto& tool : seen.listing->tools) {
      if (tool->disabled.empty()) continue;
      print_error_line("note: " + name + ": " +
                       printable(tool->info.name + " is disabled: " + tool->disabled));
    }
  }
}

Result<ExitCode> list(const McpListRequest& request, const Interrupt& interrupt) {
  std::vector<McpTarget> targets = GDN_TRY(bundle_mcp_servers(request.where));
  const std::vector<Seen> all = look_at_all(std::move(targets), request.where, interrupt.token());
  if (request.json == Answer::Yes) {
    JsonArray servers;
    for (const Seen& seen : all)
      servers.push_back(seen_json(seen));
    print_line(to_text(JsonObject{{"servers", servers}}));
  } else if (all.empty()) {
    print_error_line("the bundle has no MCP servers; `gdn mcp import` takes over those of others");
  } else {
    print_table(all);
  }
  const bool failed =
      std::ranges::any_of(all, [](const Seen& seen) { return seen.problem.has_value(); });
  return failed ? ExitCode::Network : ExitCode::Ok;
}

}  // namespace

ExitCode run_mcp_list(const McpListRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(list(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
