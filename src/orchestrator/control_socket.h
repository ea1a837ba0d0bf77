// The socket by which the command line reaches the orchestrator of a workspace.
#pragma once

#include <filesystem>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::orchestrator {

// Listens on `orchestrator.sock` in `workspace_folder`, mode 0600, not blocking. A socket that an
// earlier orchestrator has left is removed: the caller holds the lock. A path too long for the
// address of a socket is reached by way of its open folder.
Result<os::UniqueFd> listen_in(const std::filesystem::path& workspace_folder);

// Takes the next connection; empty if there is none. One of another user is closed at once, unless
// it is root's. `errno` tells of descriptors that have run out.
os::UniqueFd accept_own(int listener);

void remove_socket(const std::filesystem::path& workspace_folder);

}  // namespace goondan::orchestrator
