// Small questions to a repository that several commands ask.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/result.h>

#include "changeset/repository.h"

namespace goondan::changeset {

// Whether the bundle of a tree is valid: it is written to `folder`, checked, and removed.
Result<BundleReport> check_tree(const Repository& repository, const git_oid& tree,
                                const std::filesystem::path& folder);

// The first commit from `head` back, among the latest `most`, whose message holds `text` as a line.
Result<std::optional<git_oid>> recent_commit_with(const Repository& repository, const git_oid& head,
                                                  const std::string& text, std::size_t most);

// The latest commits up to `head` that changed the bundle, newest first.
Result<std::vector<git_oid>> commits_of_bundle(const Repository& repository, const git_oid& head,
                                               std::size_t most);

// The first parent; nothing for the first commit, and where a shallow clone ends.
std::optional<git_oid> parent_of(const Repository& repository, const git_oid& commit);

// The bundle's folder as a tree; nothing where the commit has none.
Result<GitPointer<git_tree>> bundle_tree(const Repository& repository, const git_oid& commit);

}  // namespace goondan::changeset
