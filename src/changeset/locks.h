// Who may change what: one process and thread at a time.
#pragma once

#include <filesystem>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::changeset {

// Locks a file `lock` in `folder`, which is made if need be, until the descriptor is closed.
// `E_STORE_BUSY` if another holds it for a minute.
Result<os::UniqueFd> lock_file_in(const std::filesystem::path& folder);

// Locks the folder itself, in the same way; leaves no file in it.
Result<os::UniqueFd> lock_folder_itself(const std::filesystem::path& folder);

}  // namespace goondan::changeset
