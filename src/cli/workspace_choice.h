// Which swarm's state a command works on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>

namespace goondan::cli {

struct WorkspaceOptions {
  std::optional<std::string> bundle =
      {};  // folder with goondan.yaml; none: this one, if it has one
  std::string swarm = {};
  std::string workspace = {};  // by its own name, as `gdn ps` shows it
  std::string state_root = {};
};

struct Workspace {
  std::string name = {};
  std::filesystem::path folder = {};
};

// All that the state root holds, by name.
std::vector<Workspace> all_workspaces(const WorkspaceOptions& options);

// The one that is named, that of the bundle, or the only one there is. Fails with `E_NOT_FOUND`,
// listing what there is.
Result<Workspace> choose_workspace(const WorkspaceOptions& options);

// Like that, but all of them if neither a workspace nor a bundle says which.
Result<std::vector<Workspace>> choose_workspaces(const WorkspaceOptions& options);

// The instance folders of a workspace.
struct InstanceFolder {
  std::string agent = {};  // as the folder spells it
  std::string key = {};
  std::filesystem::path folder = {};
};
std::vector<InstanceFolder> instance_folders(const Workspace& workspace);

}  // namespace goondan::cli
