// A file as Git's index notes it.
#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>

#include "changeset/repository.h"

namespace goondan::changeset {

// Borrows `path`. With `status`, what the file looked like on disk, Git need not read it again.
git_index_entry index_entry(const std::string& path, const TreeFile& file,
                            const std::optional<struct stat>& status);

// Whether the file on disk is, by its looks, the one that `entry` was made of. `written` says when
// the index was: a file that is not older may have been changed in the same moment, so that its
// looks say nothing.
bool looks_unchanged(const git_index_entry& entry, const struct stat& status,
                     const struct timespec& written);

}  // namespace goondan::changeset
