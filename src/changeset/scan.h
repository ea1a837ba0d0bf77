// What an agent has changed in the work tree of its changeset.
#pragma once

#include <string>
#include <vector>

#include <goondan/result.h>

#include "changeset/worktree.h"

namespace goondan::changeset {

struct Change {
  enum class Kind { Added, Modified, Deleted } kind = Kind::Modified;
  std::string path = {};  // from the root of the repository
  std::string bytes = {};
  git_filemode_t mode = GIT_FILEMODE_BLOB;
};

struct Scan {
  std::vector<Change> changes = {};  // by path
  // What Git cannot hold or refuses, and what would be a repository of its own.
  std::vector<std::string> unsupported = {};
  // More than `kMaxChangedFiles`, `kMaxChangedBytes` or `kMaxNewFolders`: `changes` is not all.
  enum class Limit { Kept, TooManyFiles, TooManyBytes, TooDeep } limit = Limit::Kept;
};

// Compares the work tree with the commit it began with. New files that Git ignores are left out;
// contents are taken as they are, whatever attributes say.
Result<Scan> scan_worktree(const Repository& repository, const Worktree& worktree);

}  // namespace goondan::changeset
