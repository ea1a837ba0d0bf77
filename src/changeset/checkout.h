// The bundle's own files: what a person works with, and what changes when a changeset is taken.
#pragma once

#include <string>
#include <vector>

#include <goondan/result.h>

#include "changeset/trees.h"

namespace goondan::changeset {

// Of the files that `steps` are about, those that are neither as before nor as after a step, on
// disk or in the index: somebody has worked on them and not committed it. Also what lies in the way
// of a new file.
Result<std::vector<std::string>> files_in_the_way(const Repository& repository,
                                                  const std::vector<FileStep>& steps);

// Makes the files what they are after the steps: each at once, one after the other. Killed in the
// middle, it can simply be done again. Each is looked at once more before it is touched, since a
// person may have begun to work on it meanwhile: those are left alone, and returned.
Result<std::vector<std::string>> apply_steps(const Repository& repository,
                                             const std::vector<FileStep>& steps);

// Whether nothing is staged in `index` for the file but what was committed, or what will be.
bool index_agrees(const Repository& repository, git_index* index, const FileStep& step);

std::vector<FileStep> reversed(std::vector<FileStep> steps);

}  // namespace goondan::changeset
