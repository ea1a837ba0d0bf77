#include "changeset/trial.h"

#include <map>
#include <set>
#include <utility>

#include "changeset/worktree.h"
#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

// Goes from a commit back through its parents, the latest first. Where a shallow clone ends, it
// ends too; libgit2's own walk would fail there.
class HistoryWalk {
 public:
  HistoryWalk(const Repository& repository, const git_oid& head) : repository_(repository) {
    add(repository.commit(head));
  }

  std::optional<git_oid> next() {
    if (waiting_.empty()) return std::nullopt;
    const auto first = waiting_.begin();
    const git_oid id = first->second;
    waiting_.erase(first);
    const GitLibrary& git = repository_.git();
    const Result<GitPointer<git_commit>> commit = repository_.commit(id);
    const unsigned parents = commit.ok() ? git.git_commit_parentcount(commit->get()) : 0;
    for (unsigned at = 0; at < parents; ++at) {
      git_commit* parent = nullptr;
      if (git.git_commit_parent(&parent, commit->get(), at) == 0)
        add(GitPointer<git_commit>(parent, git.git_commit_free));
    }
    return id;
  }

 private:
  void add(const Result<GitPointer<git_commit>>& commit) {
    if (!commit.ok()) return;
    const GitLibrary& git = repository_.git();
    const git_oid id = *git.git_commit_id(commit->get());
    if (!seen_.insert(repository_.hex(id)).second) return;
    waiting_.emplace(std::pair(-git.git_commit_time(commit->get()), order_++), id);
  }

  const Repository& repository_;
  std::set<std::string> seen_;
  // By time; parents that are as old as their child come after it.
  std::map<std::pair<git_time_t, std::size_t>, git_oid> waiting_;
  std::size_t order_ = 0;
};

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
  HistoryWalk walk(repository, head);
  for (std::optional<git_oid> id = walk.next(); id && most > 0; id = walk.next(), --most) {
    const GitPointer<git_commit> commit = GDN_TRY(repository.commit(*id));
    const std::string message = std::string("\n") + git.git_commit_message(commit.get()) + "\n";
    if (message.find("\n" + text + "\n") != std::string::npos) return id;
  }
  return std::optional<git_oid>();
}

Result<std::vector<git_oid>> commits_of_bundle(const Repository& repository, const git_oid& head,
                                               std::size_t most) {
  HistoryWalk walk(repository, head);
  std::vector<git_oid> ids;
  while (ids.size() < most) {
    const std::optional<git_oid> id = walk.next();
    if (!id) break;
    if (GDN_TRY(changed_bundle(repository, *id))) ids.push_back(*id);
  }
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
