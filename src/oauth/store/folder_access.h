// Who may read a file or a folder of the store. Pure functions.
#pragma once

#include <filesystem>
#include <sys/stat.h>

#include <goondan/result.h>

namespace goondan::oauth {

// `E_STORE` unless the folder is ours and closed to others.
Result<void> check_private(const std::filesystem::path& folder, const struct stat& about);

// `E_STORE_KEY` unless it is a plain file, ours or the system's, that others cannot read.
Result<void> check_key_file(const std::filesystem::path& file, const struct stat& about);

}  // namespace goondan::oauth
