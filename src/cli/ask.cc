#include "cli/ask.h"

#include <set>

#include "cli/orchestrator_client.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/workspace_lock.h"

namespace goondan::cli {
namespace {

// Stands in for the processes where there are none: keeps the answer, and drops the rest, which is
// in the journal.
class NoProcesses final : public orchestrator::Processes {
 public:
  void want(const orchestrator::InstanceName&, const std::string&) override {}
  void deliver(const orchestrator::InstanceName&, ipc::Message) override {}
  void reply(std::uint64_t, std::string_view, Result<Json> answer) override {
    answer_ = std::move(answer);
  }
  void observe(JsonObject) override {}
  void restart(std::string_view) override {}
  void bundle_changed(std::function<void(const Result<void>&)>) override {}

  std::optional<Result<Json>> answer_ = {};
};

// The bundle is not read here: whoever has ever run counts as an agent of the swarm.
Result<orchestrator::SwarmInfo> known_agents(const store::Journal& journal) {
  std::set<std::string> names;
  for (const store::InstanceRecord& instance : GDN_TRY(journal.instances()))
    names.insert(instance.agent);
  for (const store::HandleRecord& handle : GDN_TRY(journal.handles()))
    names.insert(handle.agent);
  return orchestrator::SwarmInfo{.agents = {names.begin(), names.end()}};
}

}  // namespace

Result<Json> ask_orchestrator(const Workspace& workspace, std::string_view kind, JsonObject params,
                              Deadline deadline) {
  OrchestratorClient client = GDN_TRY(OrchestratorClient::connect(workspace.folder));
  return client.request(kind, std::move(params), deadline);
}

Result<Json> ask_journal(const Workspace& workspace, std::string_view kind, JsonObject params) {
  const orchestrator::WorkspaceLock lock =
      GDN_TRY(orchestrator::WorkspaceLock::take(workspace.folder));
  store::Journal journal = GDN_TRY(store::Journal::open(workspace.folder));
  NoProcesses processes;
  orchestrator::SwarmInfo swarm = GDN_TRY(known_agents(journal));
  orchestrator::Dispatcher dispatcher(journal, std::move(swarm), processes);
  GDN_TRY(dispatcher.restore());
  dispatcher.on_client(1, kind, "1", params);
  if (processes.answer_) return *std::move(processes.answer_);
  return Error{.code = ErrorCode::NotRunning,
               .message = "this needs a running swarm",
               .suggestion = "Start it with `gdn run`."};
}

Result<Json> ask_either(const Workspace& workspace, std::string_view kind, JsonObject params,
                        Deadline deadline) {
  Result<Json> asked = ask_orchestrator(workspace, kind, params, deadline);
  if (asked.ok() || asked.error().code != ErrorCode::NotRunning) return asked;
  return ask_journal(workspace, kind, std::move(params));
}

}  // namespace goondan::cli
