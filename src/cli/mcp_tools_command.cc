#include "base/utf8.h"
#include "cli/interrupt.h"
#include "cli/mcp_session.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kShown = 72;  // code points of a description in the table

std::string first_line(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (utf8::length(line) <= kShown) return std::string(line);
  return std::string(utf8::prefix(line, kShown - 3)) + "...";
}

// The definitions as the server wrote them, like the answer to `tools/list`, and what we think of
// them.
Json listing_json(const McpListing& listing) {
  JsonArray tools;
  JsonArray disabled;
  JsonArray dropped;
  for (const auto& tool : listing.tools) {
    tools.push_back(tool->info.raw);
    if (!tool->disabled.empty())
      disabled.push_back({{"name", tool->info.name}, {"reason", tool->disabled}});
  }
  for (const auto& [name, reason] : listing.dropped)
    dropped.push_back({{"name", name}, {"reason", reason}});
  return {{"tools", tools}, {"disabled", disabled}, {"dropped", dropped}};
}

void print_all(const McpListing& listing, const McpTarget& target) {
  Table table({"TOOL", "STATUS", "DESCRIPTION"});
  for (const auto& tool : listing.tools) {
    table.add({tool->info.name, tool->disabled.empty() ? "ok" : "disabled",
               first_line(tool->description)});
  }
  if (!table.empty()) print(table.text());
  if (table.empty()) print_error_line("the server has no tools");
  if (listing.pins_problem) return print_error(*listing.pins_problem);
  for (const auto& tool : listing.tools) {
    if (!tool->disabled.empty())
      print_error_line("note: " + printable(tool->info.name + " is disabled: " + tool->disabled));
  }
  for (const auto& [name, reason] : listing.dropped)
    print_error_line("note: " + printable(name + " is left out: " + reason));
  if (listing.waiting == McpListing::Waiting::ForApproval)
    print_error_line("hint: gdn mcp approve " + target.resource.name);
}

void print_one(const McpOfferedTool& tool) {
  print_line(styled(printable(tool.info.name), Style::Bold, Stream::Out));
  if (!tool.description.empty()) print_line(printable(tool.description));
  print_line("");
  print_line("models see it as " + tool.visible);
  if (!tool.disabled.empty()) print_line("it is disabled: " + printable(tool.disabled));
  print_line("");
  print_line(to_pretty_text(tool.schema));
}

Result<ExitCode> tools(const McpToolsRequest& request, const Interrupt& interrupt) {
  if (request.json == Answer::Yes && request.names == Answer::Yes) {
    return Error{.code = ErrorCode::Usage,
                 .message = "both --json and --names are given",
                 .suggestion = "Use one of the two."};
  }
  McpTarget target = GDN_TRY(choose_mcp_server(request.where));
  McpSession session =
      GDN_TRY(McpSession::open(std::move(target), request.where, interrupt.token()));
  const auto listing = GDN_TRY(session.list_tools());
  if (request.tool) {
    const auto tool = GDN_TRY(find_mcp_tool(*listing, *request.tool, session.target()));
    if (request.json == Answer::Yes) {
      print_line(to_text(tool->info.raw));
    } else if (request.names == Answer::Yes) {
      print_line(printable(tool->info.name));
    } else {
      print_one(*tool);
    }
  } else if (request.json == Answer::Yes) {
    print_line(to_text(listing_json(*listing)));
  } else if (request.names == Answer::Yes) {
    for (const auto& tool : listing->tools)
      print_line(printable(tool->info.name));
  } else {
    print_all(*listing, session.target());
  }
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_mcp_tools(const McpToolsRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(tools(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
