// The branch that the bundle is on.
#pragma once

#include <string>

#include <goondan/result.h>

#include "changeset/git_locks.h"
#include "changeset/repository.h"

namespace goondan::changeset {

// Moves the branch (or HEAD itself, if it is detached) from `from` to `to`; `No` if it is not at
// `from` any more. `message` goes to the log of references, by its first line.
Result<Replaced> move_branch(const Repository& repository, const git_oid& from, const git_oid& to,
                             const std::string& message);

// Removes what one who was killed has left behind.
void mend_branch(const Repository& repository);

}  // namespace goondan::changeset
