#include "changeset/trial.h"

#include "changeset/worktree.h"
#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

Result<GitPointer<git_revwalk>> walk_from(const Repository& repository, const git_oid& head) {
  const GitLibrary& git = repository.git();
  git_revwalk* made = nullptr;
  const int failed = git.git_revwalk_new(&made, repository.get());
  GitPointer<git_revwalk> walk(made, git.git_revwalk_free);
  if (failed == 0) git.git_revwalk_sorting(made, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
  if (failed != 0 || git.git_revwalk_push(made, &head) != 0)
    return git_error_of(git, "read the history");
  return walk;
}

bool same_tree(const Repository& repository, const GitPointer<git_tree>& one,
               const GitPointer<git_tree>& other) {
  if (!one || !other) return !one && !other;
  const GitLibrary& git = repository.git();
  return repository.equal(*git.git_tree_id(one.get()), *git.git_tree_id(other.get()));
}

// A merge counts only if it is like none of those it merges.
Result<bool> changed_bundle(const Repository& repository, const git_oid& id) {
  const GitLibrary& git = repository.git();
  const GitPointer<git_commit> commit = GDN_TRY(repository.commit(id));
  const GitPointer<git_tree> now = GDN_TRY(bundle_tree(repository, id));
  const unsigned parents = git.git_commit_parentcount(commit.get());
  bool first = true;
  for (unsigned at = 0; at < parents; ++at) {
    git_commit* found = nullptr;
    if (git.git_commit_parent(&found, commit.get(), at) != 0) continue;  // a shallow clone
    const GitPointer<git_commit> parent(found, git.git_commit_free);
    const GitPointer<git_tree> before = GDN_TRY(bundle_tree(repository, *git.git_commit_id(found)));
    if (same_tree(repository, now, before)) return false;
    first = false;
  }
  return !first || now != nullptr;
}

}  // namespace

Result<BundleReport> check_tree(const Repository& repository, const git_oid& id,
                                const fs::path& folder) {
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree(id));
  const TreeFiles files = GDN_TRY(repository.files_of(tree.get()));
  remove_folder(folder);
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return os::os_error("cannot make '" + folder.string() + "'", failure.value());
  const Result<void> written = write_files(repository, files, repository.offset(), folder);
  BundleReport report;
  if (written.ok()) report = Bundle::check(folder);
  remove_folder(folder);
  if (!written.ok()) return written.error();
  return report;
}

Result<std::optional<git_oid>> recent_commit_with(const Repository& repository, const git_oid& head,
                                                  const std::string& text, std::size_t most) {
  const GitLibrary& git = repository.git();
  const GitPointer<git_revwalk> walk = GDN_TRY(walk_from(repository, head));
  git_oid id{};
  while (most-- > 0 && git.git_revwalk_next(&id, walk.get()) == 0) {
    const GitPointer<git_commit> commit = GDN_TRY(repository.commit(id));
    const std::string message = std::string("\n") + git.git_commit_message(commit.get()) + "\n";
    if (message.find("\n" + text + "\n") != std::string::npos) return std::optional(id);
  }
  return std::optional<git_oid>();
}

Result<std::vector<git_oid>> commits_of_bundle(const Repository& repository, const git_oid& head,
                                               std::size_t most) {
  const GitPointer<git_revwalk> walk = GDN_TRY(walk_from(repository, head));
  std::vector<git_oid> ids;
  git_oid id{};
  while (ids.size() < most && repository.git().git_revwalk_next(&id, walk.get()) == 0)
    if (GDN_TRY(changed_bundle(repository, id))) ids.push_back(id);
  return ids;
}

std::optional<git_oid> parent_of(const Repository& repository, const git_oid& id) {
  const GitLibrary& git = repository.git();
  const Result<GitPointer<git_commit>> commit = repository.commit(id);
  git_commit* found = nullptr;
  if (!commit.ok() || git.git_commit_parent(&found, commit->get(), 0) != 0) return std::nullopt;
  const GitPointer<git_commit> parent(found, git.git_commit_free);
  return *git.git_commit_id(found);
}

Result<GitPointer<git_tree>> bundle_tree(const Repository& repository, const git_oid& commit) {
  GitPointer<git_tree> whole = GDN_TRY(repository.tree_of(commit));
  if (repository.offset().empty()) return whole;
  const GitLibrary& git = repository.git();
  const std::string path = repository.offset().substr(0, repository.offset().size() - 1);
  git_tree_entry* found = nullptr;
  const int result = git.git_tree_entry_bypath(&found, whole.get(), path.c_str());
  const GitPointer<git_tree_entry> entry(found, git.git_tree_entry_free);
  if (result != 0 || git.git_tree_entry_type(found) != GIT_OBJECT_TREE)
    return GitPointer<git_tree>(nullptr, git.git_tree_free);
  return repository.tree(*git.git_tree_entry_id(found));
}

}  // namespace goondan::changeset
