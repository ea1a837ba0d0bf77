#include "agent/agent_tools.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>

#include <goondan/goondan.h>

#include "os/os_error.h"

namespace goondan::agent {
namespace {

namespace fs = std::filesystem;
using Root = Policy::FileRoot;

// The state is guarded, and the workdir lies in it: it is granted by name. So is a folder that
// somebody chose as the workdir although it lies in the bundle.
// Changesets lie in it too.
Policy with_places(Policy policy, const AgentPlaces& places) {
  policy.file_roots.push_back({.path = places.workdir, .access = Root::Access::ReadWrite});
  if (!places.worktrees.empty())
    policy.file_roots.push_back({.path = places.worktrees, .access = Root::Access::ReadWrite});
  return policy;
}

std::vector<std::string> guarded_folders(const AgentPlan& plan, const AgentPlaces& places) {
  return {plan.bundle.root().string(), places.state_root};
}

}  // namespace

Result<std::string> open_workdir(const fs::path& folder, const std::string& cwd) {
  const fs::path workdir = cwd.empty() ? folder / "workspace" : fs::path(cwd);
  if (cwd.empty() && ::mkdir(workdir.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return os::os_error("cannot make the workspace '" + workdir.string() + "'", errno);
  std::error_code failed;
  const fs::path real = fs::canonical(workdir, failed);
  if (!failed && fs::is_directory(real, failed)) return real.string();
  return Error{.code = ErrorCode::NotFound,
               .message = "the working folder '" + workdir.string() + "' is not a folder",
               .suggestion = "Make it, or start the agent without `cwd`."};
}

Result<std::unique_ptr<ToolRegistry>> load_tools(const AgentPlan& plan, const AgentPlaces& places,
                                                 const std::stop_token& stop) {
  auto registry = std::make_unique<ToolRegistry>();
  if (!plan.builtin_tools.empty()) {  // an empty list would be all of them
    GDN_TRY(add_builtin_tools(*registry, {.policy = with_places(plan.policy, places),
                                          .only = plan.builtin_tools,
                                          .guarded_folders = guarded_folders(plan, places),
                                          .redactor = plan.redactor}));
  }
  for (const std::string& name : plan.bundle_tools)
    GDN_TRY(add_bundle_tools(*registry, plan.bundle,
                             {.only = name,
                              .stop = stop,
                              .scripts = places.scripts,
                              .node_scripts = places.node_scripts,
                              .place = places.place}));
  return registry;
}

std::shared_ptr<builtin::Workspaces> workspaces_of(const AgentPlan& plan,
                                                   const AgentPlaces& places) {
  std::vector<os::FolderGrant> grants;
  for (const Root& root : with_places(plan.policy, places).file_roots) {
    const bool write = root.access == Root::Access::ReadWrite;
    grants.push_back(
        {.path = root.path, .access = write ? os::Access::ReadWrite : os::Access::Read});
  }
  return std::make_shared<builtin::Workspaces>(std::move(grants), guarded_folders(plan, places));
}

ExecutorOptions executor_options(const AgentPlan& plan, std::shared_ptr<CallRuntime> runtime) {
  ExecutorOptions options;
  options.timeout = plan.policy.tool_timeout.value_or(options.timeout);
  options.max_concurrent = plan.policy.max_concurrent.value_or(options.max_concurrent);
  if (plan.policy.allow_registry_bypass.value_or(false))
    options.registry_bypass = RegistryBypass::Allow;
  options.runtime = std::move(runtime);
  options.redactor = plan.redactor;
  return options;
}

}  // namespace goondan::agent
