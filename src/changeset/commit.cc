#include <algorithm>

#include "changeset/answers.h"
#include "changeset/changesets.h"
#include "changeset/checks.h"
#include "changeset/locks.h"
#include "changeset/publish.h"
#include "changeset/trial.h"
#include "changeset/worktree.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdTrailer = "Changeset-Id: ";
constexpr std::size_t kMaxRecentCommits = 200;

Refusal not_found(const std::string& id) {
  return {.status = "failed",
          .code = "CHANGESET_NOT_FOUND",
          .message = "there is no open changeset '" + id + "'",
          .suggestion =
              "Open one with openChangeset; a changeset ends when it is committed, or "
              "after a day."};
}

Refusal conflict(std::string message, std::string suggestion, std::vector<std::string> files) {
  return {.status = "conflict",
          .code = "MERGE_CONFLICT",
          .message = std::move(message),
          .suggestion = std::move(suggestion),
          .files_key = "conflictingFiles",
          .files = std::move(files)};
}

std::string commit_message(const Worktree& worktree, std::string message) {
  std::erase(message, '\0');
  while (!message.empty() && std::string_view(" \n\r\t").find(message.back()) != std::string::npos)
    message.pop_back();
  if (message.empty()) message = "Change the bundle";
  message += "\n\n";
  if (!worktree.reason.empty()) message += "Changeset-Reason: " + worktree.reason + "\n";
  return message + std::string(kIdTrailer) + worktree.id + "\n";
}

// One commit of a changeset, from what its folder holds to the bundle's branch.
class Commit {
 public:
  Commit(const Repository& repository, const Worktree& worktree, fs::path worktrees)
      : repository_(repository), worktree_(worktree), worktrees_(std::move(worktrees)) {
    about_ = {{"status", ""},
              {"changesetId", worktree.id},
              {"baseRef", ref_text(repository, worktree.base)}};
  }

  Result<Json> run(const std::string& message, const Policy& policy, const std::string& author) {
    const Scan scan = GDN_TRY(scan_worktree(repository_, worktree_));
    const GitPointer<git_tree> base = GDN_TRY(repository_.tree_of(worktree_.base));
    const TreeFiles files = GDN_TRY(repository_.files_of(base.get()));
    if (const auto objection = first_objection(repository_, scan, files, policy))
      return refused(about_, *objection);
    if (scan.changes.empty()) return close(accepted(about_, repository_, {}));
    // What is checked is what would be committed: the work tree also has files that Git ignores,
    // and the agent may still be writing to it.
    const git_oid tree = GDN_TRY(changed_tree(repository_, worktree_.base, scan.changes));
    const BundleReport report = GDN_TRY(check(tree));
    if (!report.ok()) return refused(about_, invalid_bundle(report, "with this changeset"));
    return bring(tree, commit_message(worktree_, message), author);
  }

 private:
  Result<BundleReport> check(const git_oid& tree) const {
    return check_tree(repository_, tree, worktrees_ / (worktree_.id + ".check"));
  }

  Result<Json> bring(const git_oid& tree, std::string message, const std::string& author) {
    if (const auto busy = in_the_middle(repository_)) return refused(about_, *busy);
    const git_oid head = GDN_TRY(repository_.head());
    const Merged merged = GDN_TRY(merge_onto(repository_, worktree_.base, head, tree));
    if (!merged.conflicts.empty()) {
      return refused(about_, conflict("the bundle has changed in the same places since the "
                                      "changeset was opened",
                                      "Open a new changeset, which begins with the bundle as it "
                                      "is now, and make the change there.",
                                      seen_from_bundle(repository_, merged.conflicts)));
    }
    if (!repository_.equal(merged.tree, tree)) {
      const BundleReport report = GDN_TRY(check(merged.tree));
      if (!report.ok())
        return refused(about_, invalid_bundle(report, "together with what came in between"));
    }
    return take({.parent = head,
                 .tree = merged.tree,
                 .message = std::move(message),
                 .author = author.empty() ? "agent" : author});
  }

  Result<Json> take(const NewCommit& commit) {
    const GitPointer<git_tree> from = GDN_TRY(repository_.tree_of(commit.parent));
    const GitPointer<git_tree> to = GDN_TRY(repository_.tree(commit.tree));
    const std::vector<FileStep> steps = GDN_TRY(steps_between(repository_, from.get(), to.get()));
    if (steps.empty()) return taken_already(commit.parent);
    const Published published = GDN_TRY(publish(repository_, commit));
    if (!published.in_the_way.empty()) {
      return refused(about_, conflict("these files have changes in the bundle's folder that nobody "
                                      "has committed",
                                      "Let the operator commit or undo them, then try again.",
                                      seen_from_bundle(repository_, published.in_the_way)));
    }
    if (published.branch == Published::Branch::HasMovedAlready) {
      return refused(
          about_, conflict("the bundle's branch has moved at the same moment", "Try again.", {}));
    }
    about_["newRef"] = ref_text(repository_, published.id);
    return close(accepted(about_, repository_, steps));
  }

  // Everything is in the branch: we were killed after that was done, or somebody did the same.
  Result<Json> taken_already(const git_oid& head) {
    const std::optional<git_oid> ours = GDN_TRY(recent_commit_with(
        repository_, head, std::string(kIdTrailer) + worktree_.id, kMaxRecentCommits));
    std::vector<FileStep> steps;
    if (ours) {
      about_["newRef"] = ref_text(repository_, *ours);
      const GitPointer<git_tree> from = GDN_TRY(repository_.tree_of(worktree_.base));
      const GitPointer<git_tree> to = GDN_TRY(repository_.tree_of(*ours));
      steps = GDN_TRY(steps_between(repository_, from.get(), to.get()));
    }
    return close(accepted(about_, repository_, steps));
  }

  Json close(Json answer) {
    remove_worktree(repository_, worktrees_, worktree_.id);
    return answer;
  }

  const Repository& repository_;
  const Worktree& worktree_;
  fs::path worktrees_;
  JsonObject about_;
};

}  // namespace

Result<Json> Changesets::commit(const std::string& id, const std::string& message,
                                const Policy& policy, const std::string& author) {
  const Repository repository = GDN_TRY(Repository::open(place_.bundle_root));
  const fs::path worktrees = GDN_TRY(worktrees_apart(place_));
  const os::UniqueFd lock = GDN_TRY(lock_file_in(worktrees));
  const std::optional<Worktree> worktree = find_worktree(repository, worktrees, id);
  if (!worktree) return refused({{"status", ""}, {"changesetId", id}}, not_found(id));
  const os::UniqueFd repository_lock = GDN_TRY(lock_folder_itself(repository.common_dir()));
  mend_repository(repository);
  return Commit(repository, *worktree, worktrees).run(message, policy, author);
}

}  // namespace goondan::changeset
