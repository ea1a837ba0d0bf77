// Names of files that Git takes for its own, on this system or on another that the repository is
// copied to.
#pragma once

#include <string_view>

#include "changeset/git_library.h"

namespace goondan::changeset {

// Whether `name` is that of Git's folder somewhere: `.git` in capitals, with characters in it that
// macOS does not see, or as Windows spells it (`git~1`, `.git.`). Git refuses to check it out.
bool names_git_folder(std::string_view name);

// Whether `name` is `.gitignore`, `.gitattributes` or `.gitmodules`, in any such spelling. Git
// reads these, and none of them may be a link.
bool steers_git(const GitLibrary& git, std::string_view name);

}  // namespace goondan::changeset
