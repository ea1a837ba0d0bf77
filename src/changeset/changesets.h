// Changes that agents make to their own bundle, with Git as the only history.
//
// An agent opens a changeset, edits the files of a work tree that is apart from the bundle, and
// commits: the change is checked (policy, limits, the bundle as a whole) and becomes a commit on
// the bundle's branch, or it is turned away and the bundle stays as it was. See docs/changesets.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::changeset {

// What may be changed. Patterns are relative to the bundle's root; a file must match one of the
// swarm's and one of the agent's. No list: everything; an empty one: nothing. See `glob.h`.
struct Policy {
  bool enabled = true;
  std::optional<std::vector<std::string>> swarm_files = {};
  std::optional<std::vector<std::string>> agent_files = {};
};

struct Place {
  std::filesystem::path bundle_root;
  std::filesystem::path worktrees;  // of this workspace; never inside the bundle
};

inline constexpr std::size_t kMaxOpenChangesets = 16;
inline constexpr std::size_t kMaxChangedFiles = 10'000;
inline constexpr std::size_t kMaxChangedBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxNewFolders = 64;  // one inside the other

// Thread-safe, and safe beside other processes with the same place: what changes something holds a
// lock file in `worktrees`. Holds nothing but the place, so one may be made for each call. Every
// method fails with `E_HOST_UNAVAILABLE` if libgit2 is not installed, and with `E_CONFIG` if the
// bundle is not in a Git repository, or in one that has no commit yet.
class Changesets {
 public:
  explicit Changesets(Place place);

  // Makes a work tree of the latest commit:
  // `{changesetId, baseRef, workdir, hint: {bundleRootInWorkdir, recommendedFiles}}`.
  // `E_LIMIT` if too many are open.
  Result<Json> open(const std::string& reason);

  // `{status: ok|rejected|conflict|failed, changesetId, baseRef?, newRef?, summary?, error?}`. What
  // the agent did wrong, and what came in between, is a status; an `Error` means that it could not
  // be tried. Only `ok` closes the changeset. Where nothing was changed it is `ok` without
  // `newRef`.
  Result<Json> commit(const std::string& id, const std::string& message, const Policy& policy,
                      const std::string& author);

  // The latest commits that touched the bundle, newest first: `{ref, sha, time, author, subject}`.
  Result<std::vector<Json>> log(std::size_t most);

  // What changed in the bundle between two commits, as a unified diff. `to` empty: the latest
  // commit; `from` empty: the commit of the bundle before `to`.
  Result<std::string> diff(const std::string& from, const std::string& to);

  // A new commit that makes the bundle's files what they were at `ref` (empty: before the latest
  // commit that touched them). The answer is that of `commit`, without a `changesetId`.
  Result<Json> rollback(const std::string& ref, const std::string& message,
                        const std::string& author);

 private:
  Place place_;
};

}  // namespace goondan::changeset
