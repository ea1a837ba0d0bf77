// Trees of files: making new ones, merging, and what lies between two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "changeset/repository.h"
#include "changeset/scan.h"

namespace goondan::changeset {

// The tree of `base` with `changes`; their contents are written to the repository.
Result<git_oid> changed_tree(const Repository& repository, const git_oid& base_commit,
                             const std::vector<Change>& changes);

// The tree of `commit` with the bundle's files of `other`.
Result<git_oid> tree_with_bundle_of(const Repository& repository, const git_oid& commit,
                                    const git_oid& other);

struct Merged {
  git_oid tree = {};
  std::vector<std::string> conflicts = {};  // not empty: there is no tree
};

// Brings what `tree` changed since `base` to `head`.
Result<Merged> merge_onto(const Repository& repository, const git_oid& base, const git_oid& head,
                          const git_oid& tree);

// One file, before and after; nothing where there is none.
struct FileStep {
  std::string path = {};
  std::optional<TreeFile> before = {};
  std::optional<TreeFile> after = {};
};

// The files in which two trees differ, by path.
Result<std::vector<FileStep>> steps_between(const Repository& repository, git_tree* from,
                                            git_tree* to);

}  // namespace goondan::changeset
