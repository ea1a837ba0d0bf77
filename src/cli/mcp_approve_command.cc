#include <algorithm>

#include "cli/interrupt.h"
#include "cli/mcp_session.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "host/mcp/clean_text.h"
#include "host/mcp/pins.h"

namespace goondan::cli {
namespace {

using Offered = std::shared_ptr<const McpOfferedTool>;

Error usage(std::string message, std::string suggestion) {
  return {
      .code = ErrorCode::Usage, .message = std::move(message), .suggestion = std::move(suggestion)};
}

// A value of a definition for the eyes of a person: what is hidden is counted.
std::string shown(const Json* value) {
  if (value == nullptr) return "(nothing)";
  const CleanText clean =
      clean_text(value->is_string() ? std::string_view(value->get_string()) : to_text(*value));
  const std::string hidden = " (and " + std::to_string(clean.removed) + " hidden characters)";
  return printable(clean.text) + (clean.removed > 0 ? hidden : "");
}

void print_sign(std::string_view sign, Style style, const std::string& text) {
  std::string_view rest = text;
  while (true) {
    const std::size_t end = rest.find('\n');
    const std::string line = "    " + std::string(sign) + " " + std::string(rest.substr(0, end));
    print_line(styled(line, style, Stream::Out));
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

// What is in force and what the server says now, where they differ.
void print_change(const std::string& name, const McpPin& pin) {
  const bool fresh = !pin.accepted;
  print_line(styled(printable(name), Style::Bold, Stream::Out) + (fresh ? ": new" : ": changed"));
  const JsonObject before = fresh ? JsonObject{} : pin.accepted->definition;
  const JsonObject& after = pin.offered->definition;
  for (const std::string_view field : {"title", "description", "inputSchema", "annotations"}) {
    const Json* old = before.if_contains(field);
    const Json* now = after.if_contains(field);
    if (old == nullptr && now == nullptr) continue;
    if (old != nullptr && now != nullptr && *old == *now) continue;
    print_line("  " + std::string(field));
    if (!fresh) print_sign("-", Style::Red, shown(old));
    print_sign("+", Style::Green, shown(now));
  }
}

std::string count_text(std::size_t tools) {
  return std::to_string(tools) + (tools == 1 ? " tool" : " tools");
}

class Approval {
 public:
  Approval(const McpApproveRequest& request, McpSession& session)
      : request_(request), target_(session.target()) {}

  Result<ExitCode> run(const McpListing& listing) {
    if (listing.pins_problem) return *listing.pins_problem;
    const std::vector<Offered> chosen = GDN_TRY(choose(listing));
    // Only what is shown here is accepted, not what the server may say a moment later.
    McpPinFilter filter{.bundle = mcp_pin_bundle(target_.root),
                        .extension = target_.extension,
                        .server = target_.resource.name};
    for (const Offered& tool : chosen)
      filter.offered.insert(tool->hash);
    McpPins waiting;
    if (!chosen.empty()) waiting = GDN_TRY(list_mcp_pins(target_.pins, filter));
    for (const auto& [key, pin] : waiting)
      print_change(key.tool, pin);
    if (!waiting.empty() && !only_look()) {
      const McpPins approved = GDN_TRY(approve_mcp_tools(target_.pins, filter));
      print_line(styled("approved: " + count_text(approved.size()), Style::Green, Stream::Out));
    }
    if (waiting.empty()) print_line("nothing waits for approval");
    if (!waiting.empty() && only_look()) {
      print_error_line("hint: gdn mcp approve " + target_.resource.name + " TOOL..., or --all");
    }
    return ExitCode::Ok;
  }

 private:
  [[nodiscard]] bool only_look() const {
    return request_.tools.empty() && request_.all == Answer::No;
  }

  Result<std::vector<Offered>> choose(const McpListing& listing) const {
    if (request_.tools.empty()) return listing.tools;
    std::vector<Offered> chosen;
    for (const std::string& name : request_.tools)
      chosen.push_back(GDN_TRY(find_mcp_tool(listing, name, target_)));
    return chosen;
  }

  const McpApproveRequest& request_;
  const McpTarget& target_;
};

Result<ExitCode> approve(const McpApproveRequest& request, const Interrupt& interrupt) {
  if (!request.tools.empty() && request.all == Answer::Yes) {
    return usage("both --all and names of tools are given", "Use one of the two.");
  }
  McpTarget target = GDN_TRY(choose_mcp_server(request.where));
  if (target.extension.empty()) {
    return usage("only servers of a bundle have tools to approve",
                 "Name a server of the bundle; `gdn mcp list` shows them.");
  }
  if (target.resource.trust == McpServerResource::Trust::Always) {
    print_line("nothing to approve: the bundle says `trust: always` of this server");
    return ExitCode::Ok;
  }
  McpSession session =
      GDN_TRY(McpSession::open(std::move(target), request.where, interrupt.token()));
  const auto listing = GDN_TRY(session.list_tools());
  return Approval(request, session).run(*listing);
}

}  // namespace

ExitCode run_mcp_approve(const McpApproveRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(approve(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
