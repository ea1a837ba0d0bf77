// The lock that says which process owns a folder.
#pragma once

#include <filesystem>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/unique_fd.h"

namespace goondan::store {

// Locks the file `lock` in `folder` (made if need be) until the descriptor is closed or the process
// ends, however it ends. The file names the owner's process id, for messages only.
//
// Another owner is waited for until `deadline`, by trying again every few milliseconds: `flock`
// itself either waits for ever or not at all. `E_STORE_BUSY` if the other one keeps it.
Result<os::UniqueFd> lock_folder(const std::filesystem::path& folder, Deadline deadline);

}  // namespace goondan::store
