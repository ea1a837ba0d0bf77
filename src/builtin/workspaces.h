// The folders that calls may use, opened once for each workdir.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "os/workspace.h"

namespace goondan::builtin {

// Thread-safe. A folder stays the one it was when a call first used it: one that is moved away and
// replaced by a link in between is not followed. One that was deleted is looked for anew.
class Workspaces {
 public:
  explicit Workspaces(std::vector<os::FolderGrant> grants = {},
                      std::vector<std::string> guarded = {})
      : grants_(std::move(grants)), guarded_(std::move(guarded)) {}

  // Fails as `os::Workspace::open` does.
  [[nodiscard]] Result<os::Workspace> at(const std::string& workdir);

 private:
  const std::vector<os::FolderGrant> grants_;
  const std::vector<std::string> guarded_;
  std::mutex mutex_;
  std::map<std::string, os::Workspace, std::less<>> open_;
};

}  // namespace goondan::builtin
