// Files and folders that only their owner may read.
#pragma once

#include <filesystem>

#include <goondan/result.h>

namespace goondan::store {

// Makes what is missing of `folder`, with mode 0700. What is there keeps its mode.
Result<void> make_private_folders(const std::filesystem::path& folder);

// Makes an empty file with mode 0600 unless there is a file. An existing one is not even opened:
// closing it would take the locks that this process has on it.
Result<void> make_private_file(const std::filesystem::path& file);

}  // namespace goondan::store
