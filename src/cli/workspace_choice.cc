#include "cli/workspace_choice.h"

#include <algorithm>

#include <goondan/bundle.h>

#include "base/nearest.h"
#include "cli/bundle_choice.h"
#include "resource/swarm_choice.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) found.push_back(at->path());
  }
  std::ranges::sort(found);
  return found;
}

std::string names_of(const std::vector<Workspace>& workspaces) {
  std::string names;
  for (const Workspace& workspace : workspaces) {
    names += (names.empty() ? "" : ", ") + workspace.name;
  }
  return names;
}

Error no_workspace(const std::string& what, const std::vector<Workspace>& known) {
  return {.code = ErrorCode::NotFound,
          .message = what,
          .suggestion = known.empty() ? "Start a swarm with `gdn run`."
                                      : "Name one with --workspace: " + names_of(known) + "."};
}

Result<Workspace> named(const std::string& name, const std::vector<Workspace>& known) {
  const auto found = std::ranges::find(known, name, &Workspace::name);
  if (found != known.end()) return *found;
  return no_workspace("there is no workspace '" + name + "'", known);
}

// That of a bundle which cannot be read now, perhaps because somebody is at work on it: known by
// its folder, if that has one only.
std::optional<Workspace> of_folder(const WorkspaceOptions& options,
                                   const std::vector<Workspace>& known) {
  std::error_code ignored;
  fs::path root = fs::absolute(options.bundle.value_or("."), ignored);
  if (!fs::is_directory(root, ignored)) root = root.parent_path();
  const std::string any = store::workspace_name("s", "s", root);
  const std::string_view end = std::string_view(any).substr(1);
  std::vector<Workspace> fitting;
  for (const Workspace& workspace : known) {
    if (!workspace.name.ends_with(end)) continue;
    if (options.swarm.empty() || workspace.name.starts_with(options.swarm + "-"))
      fitting.push_back(workspace);
  }
  return fitting.size() == 1 ? std::optional(fitting.front()) : std::nullopt;
}

Result<std::optional<Workspace>> of_bundle(const WorkspaceOptions& options,
                                           const std::vector<Workspace>& known) {
  const Result<std::optional<Bundle>> chosen = choose_bundle(options.bundle);
  if (!chosen.ok()) {
    std::optional<Workspace> found = of_folder(options, known);
    if (found) return found;
    return chosen.error();
  }
  const std::optional<Bundle>& bundle = *chosen;
  if (!bundle) return std::optional<Workspace>();
  const SwarmResource swarm = GDN_TRY(choose_swarm(*bundle, options.swarm));
  const std::string name =
      store::workspace_name(swarm.meta.name, swarm.instance_key, bundle->root());
  return std::optional(
      Workspace{name, store::workspace_folder(store::state_root(options.state_root), name)});
}

}  // namespace

std::vector<Workspace> all_workspaces(const WorkspaceOptions& options) {
  std::vector<Workspace> found;
  for (const fs::path& folder : folders_in(store::state_root(options.state_root) / "workspaces")) {
    found.push_back({folder.filename().string(), folder});
  }
  return found;
}

Result<Workspace> choose_workspace(const WorkspaceOptions& options) {
  const std::vector<Workspace> known = all_workspaces(options);
  if (!options.workspace.empty()) return named(options.workspace, known);
  const std::optional<Workspace> own = GDN_TRY(of_bundle(options, known));
  if (own) {
    if (std::ranges::find(known, own->name, &Workspace::name) != known.end()) return *own;
    return Error{
        .code = ErrorCode::NotFound,
        .message = "this bundle has not been run yet: there is no workspace '" + own->name + "'",
        .suggestion = "Start it with `gdn run`."};
  }
  if (known.size() == 1) return known.front();
  return no_workspace(known.empty() ? "there is no state of any swarm"
                                    : "there are several workspaces, and no goondan.yaml here",
                      known);
}

Result<std::vector<Workspace>> choose_workspaces(const WorkspaceOptions& options) {
  const bool chosen = !options.workspace.empty() || options.bundle || has_bundle(".");
  if (!chosen) return all_workspaces(options);
  const Workspace one = GDN_TRY(choose_workspace(options));
  return std::vector{one};
}

std::vector<InstanceFolder> instance_folders(const Workspace& workspace) {
  std::vector<InstanceFolder> found;
  for (const fs::path& agent : folders_in(workspace.folder / "instances")) {
    for (const fs::path& key : folders_in(agent)) {
      found.push_back({agent.filename().string(), key.filename().string(), key});
    }
  }
  return found;
}

}  // namespace goondan::cli
