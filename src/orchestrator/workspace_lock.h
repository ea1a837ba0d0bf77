// Who may write the state of a workspace: the process that holds `orchestrator.lock`.
#pragma once

#include <filesystem>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::orchestrator {

// Held until it goes or the process ends, however that happens. The file itself stays: removing it
// would let two processes lock two files of one name. It holds the number of the process.
class WorkspaceLock {
 public:
  // Makes the folder if need be. `E_ALREADY_RUNNING` with the number of the process that has it.
  static Result<WorkspaceLock> take(const std::filesystem::path& workspace_folder);
  // Goes on with a lock that was taken before this program replaced itself; takes it anew if `fd`
  // is no such lock.
  static Result<WorkspaceLock> adopt(os::UniqueFd fd,
                                     const std::filesystem::path& workspace_folder);

  // Gives the lock to whoever takes the descriptor.
  os::UniqueFd release() { return std::move(file_); }

 private:
  explicit WorkspaceLock(os::UniqueFd file) : file_(std::move(file)) {}
  os::UniqueFd file_;
};

// Where the lock with this descriptor lies.
std::filesystem::path locked_folder(int lock);

}  // namespace goondan::orchestrator
