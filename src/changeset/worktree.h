// The work trees of open changesets: real ones of Git, with a detached HEAD, so that an agent may
// use `git diff` in them. What Git knows of one is in `<common dir>/worktrees/<id>`; its first
// entry of the log of HEAD says what it began with and why, and nothing else is kept about it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "changeset/changesets.h"
#include "changeset/repository.h"

namespace goondan::changeset {

struct Worktree {
  std::string id;
  std::filesystem::path folder;
  git_oid base = {};
  std::string reason = {};
};

// The folder of `place`, made and by its real name; `E_CONFIG` if it is inside of the bundle.
Result<std::filesystem::path> worktrees_apart(const Place& place);

// `cs-` and twelve hex digits.
bool valid_changeset_id(std::string_view id);

// The folder of the repository where work trees are in the making.
inline constexpr std::string_view kStaging = "goondan";

// All of these want the locks of `worktrees` and of the repository to be held.

// The files of `base` in a new folder of `worktrees`.
Result<Worktree> make_worktree(const Repository& repository, const std::filesystem::path& worktrees,
                               const git_oid& base, const std::string& reason);

// Nothing if there is none, or only a part of one.
std::optional<Worktree> find_worktree(const Repository& repository,
                                      const std::filesystem::path& worktrees,
                                      const std::string& id);

// Removes its files and what Git knows of it. What cannot be removed is left for the next cleaning.
void remove_worktree(const Repository& repository, const std::filesystem::path& worktrees,
                     const std::string& id);

// Removes what others have left behind when they were killed, and what was opened more than a day
// ago. If as many as may be are open after that, those of more than an hour make room: agents leave
// one behind with every conflict, and must not lock themselves out. Returns the ids of those that
// are open.
std::vector<std::string> clean_worktrees(const Repository& repository,
                                         const std::filesystem::path& worktrees);

// Removes a folder with all that is in it, also where an agent took its own permissions away.
void remove_folder(const std::filesystem::path& folder);

// Writes the files of a tree below `prefix` to `folder`; `prefix` is left off.
Result<void> write_files(const Repository& repository, const TreeFiles& files,
                         const std::string& prefix, const std::filesystem::path& folder);

}  // namespace goondan::changeset
