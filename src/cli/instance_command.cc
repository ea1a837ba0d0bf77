#include <algorithm>
#include <filesystem>

#include <goondan/resources.h>

#include "base/json_fields.h"
#include "cli/ask.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "orchestrator/workspace_lock.h"
#include "store/instance_store.h"
#include "store/journal.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

struct Listed {
  store::InstanceRecord record;
  Workspace workspace;
  std::size_t messages = 0;
};

std::size_t count_messages(const fs::path& folder) {
  const auto opened = store::InstanceStore::open_for_reading(folder);
  if (!opened.ok()) return 0;
  const auto base = (*opened)->base();
  return base.ok() ? base->size() : 0;
}

Result<std::vector<Listed>> instances_of(const Workspace& workspace) {
  const store::Journal journal =
      GDN_TRY(store::Journal::open(workspace.folder, {.access = store::Access::ReadOnly}));
  std::vector<Listed> listed;
  for (const store::InstanceRecord& record : GDN_TRY(journal.instances())) {
    const fs::path folder =
        store::instance_folder(workspace.folder, record.agent, record.instance_key);
    listed.push_back({record, workspace, count_messages(folder)});
  }
  return listed;
}

Json listed_json(const Listed& one) {
  return JsonObject{{"workspace", one.workspace.name},
                    {"agent", one.record.agent},
                    {"instanceKey", one.record.instance_key},
                    {"ownerAgent", one.record.owner_agent},
                    {"ownerInstanceKey", one.record.owner_instance_key},
                    {"createdAt", one.record.created_at},
                    {"messages", one.messages}};
}

Result<ExitCode> list(const InstanceRequest& request) {
  std::vector<Listed> all;
  for (const Workspace& workspace : GDN_TRY(choose_workspaces(request.where))) {
    Result<std::vector<Listed>> listed = instances_of(workspace);
    if (!listed.ok()) {
      if (listed.error().code != ErrorCode::NotFound) print_error(listed.error());
      continue;
    }
    for (Listed& one : *listed) {
      if (request.agent.empty() || one.record.agent == request.agent) all.push_back(std::move(one));
    }
  }
  if (request.json == Answer::Yes) {
    JsonArray array;
    for (const Listed& one : all)
      array.push_back(listed_json(one));
    print_line(to_text(array));
    return ExitCode::Ok;
  }
  Table table({"AGENT", "INSTANCE", "MESSAGES", "CREATED", "OWNER", "WORKSPACE"});
  for (const Listed& one : all) {
    const bool owned =
        !one.record.owner_agent.empty() && one.record.owner_agent != one.record.agent;
    table.add({one.record.agent, one.record.instance_key, std::to_string(one.messages),
               one.record.created_at,
               owned ? one.record.owner_agent + "@" + one.record.owner_instance_key : "-",
               one.workspace.name});
  }
  if (table.empty()) print_error_line("there are no instances; `gdn run` makes them");
  if (!table.empty()) print(table.text());
  return ExitCode::Ok;
}

// Where no orchestrator runs.
Result<void> delete_offline(const Workspace& workspace, const InstanceRequest& request) {
  const orchestrator::WorkspaceLock lock =
      GDN_TRY(orchestrator::WorkspaceLock::take(workspace.folder));
  store::Journal journal = GDN_TRY(store::Journal::open(workspace.folder));
  GDN_TRY(journal.forget_instance(request.agent, request.key));
  std::error_code failed;
  fs::remove_all(store::instance_folder(workspace.folder, request.agent, request.key), failed);
  if (failed) {
    return Error{.code = ErrorCode::Io, .message = "cannot delete the state: " + failed.message()};
  }
  return {};
}

Result<ExitCode> remove(const InstanceRequest& request) {
  const Workspace workspace = GDN_TRY(choose_workspace(request.where));
  const std::vector<Listed> known = GDN_TRY(instances_of(workspace));
  const bool there = std::ranges::any_of(known, [&request](const Listed& one) {
    return one.record.agent == request.agent && one.record.instance_key == request.key;
  });
  if (!there) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "there is no instance '" + request.agent + "@" + request.key + "'",
                 .suggestion = "`gdn instance list` shows them."};
  }
  const Result<Json> asked = ask_orchestrator(
      workspace, "delete", {{"agent", request.agent}, {"instanceKey", request.key}},
      Clock::now() + kReplyTime + kDefaultShutdownGrace);
  if (!asked.ok()) {
    if (asked.error().code != ErrorCode::NotRunning) return asked.error();
    GDN_TRY(delete_offline(workspace, request));
  }
  print_error_line("deleted " + request.agent + "@" + request.key);
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_instance(const InstanceRequest& request) {
  return finish_command(request.verb == InstanceVerb::List ? list(request) : remove(request));
}

ExitCode run_restart(const RestartRequest& request) {
  const auto restart = [&request]() -> Result<ExitCode> {
    const Workspace workspace = GDN_TRY(choose_workspace(request.where));
    JsonObject params{{"reason", "gdn restart"}, {"fresh", request.fresh == Answer::Yes}};
    if (!request.agent.empty()) params["agent"] = request.agent;
    GDN_TRY(ask_orchestrator(workspace, "restart", std::move(params),
                             Clock::now() + kReplyTime + kDefaultShutdownGrace));
    print_error_line("restarting " + (request.agent.empty() ? workspace.name : request.agent));
    return ExitCode::Ok;
  };
  return finish_command(restart());
}

}  // namespace goondan::cli
