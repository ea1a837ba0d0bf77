#include <cstdint>

#include "base/json_fields.h"
#include "cli/ask.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

std::string number_text(const JsonObject& object, std::string_view key) {
  return std::to_string(integer_field(object, key).value_or(0));
}

std::string memory_text(const JsonObject& agent) {
  const std::int64_t bytes = integer_field(agent, "rssBytes").value_or(0);
  return bytes == 0 ? "-" : std::to_string((bytes + (1 << 19)) >> 20) + " MB";
}

void print_swarm(const JsonObject& status) {
  print_line(styled(printable(text_field(status, "swarm")), Style::Bold, Stream::Out) +
             "  workspace " + printable(text_field(status, "workspace")) + "  pid " +
             number_text(status, "pid") + "  since " + printable(text_field(status, "startedAt")));
  print_line("  bundle " + printable(text_field(status, "bundle")) + "  queued " +
             number_text(status, "queued") + "  pending handles " +
             number_text(status, "pendingHandles"));
  Table table({"AGENT", "INSTANCE", "STATE", "PID", "QUEUED", "TURNS", "CRASHES", "MEMORY"});
  const JsonArray* agents = array_field(status, "agents");
  for (const Json& item : agents == nullptr ? JsonArray{} : *agents) {
    const JsonObject& agent = object_or_empty(item);
    const std::int64_t pid = integer_field(agent, "pid").value_or(0);
    table.add({text_field(agent, "agent"), text_field(agent, "instanceKey"),
               text_field(agent, "state"), pid == 0 ? "-" : std::to_string(pid),
               number_text(agent, "queued"), number_text(agent, "turns"),
               number_text(agent, "crashes"), memory_text(agent)});
  }
  print(table.empty() ? "  no agent has been started yet\n" : table.text());
}

// A bundle that has never run is one that does not run now.
Result<std::vector<Workspace>> workspaces_of(const WorkspaceOptions& where) {
  Result<std::vector<Workspace>> chosen = choose_workspaces(where);
  const bool never_run = !chosen.ok() && chosen.error().code == ErrorCode::NotFound;
  if (never_run && where.workspace.empty()) return std::vector<Workspace>();
  return chosen;
}

Result<ExitCode> ps(const PsRequest& request) {
  const std::vector<Workspace> workspaces = GDN_TRY(workspaces_of(request.where));
  JsonArray running;
  for (const Workspace& workspace : workspaces) {
    Result<Json> status = ask_orchestrator(workspace, "status", {}, Clock::now() + kReplyTime);
    if (status.ok()) {
      running.push_back(*std::move(status));
    } else if (status.error().code != ErrorCode::NotRunning) {
      print_error(status.error());
    }
  }
  if (request.json == Answer::Yes) {
    print_line(to_text(running));
    return ExitCode::Ok;
  }
  if (running.empty()) print_error_line("nothing runs; start a swarm with `gdn run`");
  for (const Json& status : running)
    print_swarm(object_or_empty(status));
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_ps(const PsRequest& request) {
  return finish_command(ps(request));
}

}  // namespace goondan::cli
