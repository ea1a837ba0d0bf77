// How a tree becomes the bundle: files, index and branch, in an order that survives being killed.
#pragma once

#include <string>
#include <vector>

#include <goondan/result.h>

#include "changeset/trees.h"

namespace goondan::changeset {

struct NewCommit {
  git_oid parent = {};  // what the branch must still be at
  git_oid tree = {};
  std::string message = {};
  std::string author = {};  // empty: whom the repository's configuration names
};

struct Published {
  git_oid id = {};
  std::vector<std::string> in_the_way = {};  // not empty: nothing was changed
  enum class Branch { Moved, HasMovedAlready } branch = Branch::Moved;
};

// Wants the repository's lock to be held. `must_be_clean`: besides the files that change, those
// that must not be worked on by somebody.
Result<Published> publish(const Repository& repository, const NewCommit& commit,
                          const std::vector<FileStep>& must_be_clean = {});

// Mends what one who was killed has left behind. Wants the repository's lock to be held.
void mend_repository(const Repository& repository);

}  // namespace goondan::changeset
