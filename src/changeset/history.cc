#include <chrono>

#include "base/ids.h"
#include "changeset/answers.h"
#include "changeset/changesets.h"
#include "changeset/locks.h"
#include "changeset/publish.h"
#include "changeset/trial.h"
#include "changeset/worktree.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortHash = 8;

std::string text_or_nothing(const char* text) {
  return text == nullptr ? "" : text;
}

Json log_entry(const Repository& repository, const git_oid& id, const git_commit* commit) {
  const GitLibrary& git = repository.git();
  const std::chrono::system_clock::time_point time{
      std::chrono::seconds(git.git_commit_time(commit))};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it keeps the summary for the next time
  auto* mutable_commit = const_cast<git_commit*>(commit);
  return JsonObject{{"ref", ref_text(repository, id)},
                    {"sha", repository.hex(id)},
                    {"time", iso_time(time)},
                    {"author", text_or_nothing(git.git_commit_author(commit)->name)},
                    {"subject", text_or_nothing(git.git_commit_summary(mutable_commit))}};
}

Error no_earlier() {
  return {.code = ErrorCode::NotFound,
          .message = "the bundle has no earlier commit",
          .suggestion = "`gdn bundle log` lists its commits."};
}

// The commit before the latest one up to `head` that changed the bundle.
Result<std::optional<git_oid>> before_latest(const Repository& repository, const git_oid& head) {
  const std::vector<git_oid> latest = GDN_TRY(commits_of_bundle(repository, head, 1));
  if (latest.empty()) return no_earlier();
  return parent_of(repository, latest.front());
}

Result<GitPointer<git_diff>> diff_of(const Repository& repository, git_tree* from, git_tree* to) {
  const GitLibrary& git = repository.git();
  git_diff_options options{};
  git.git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  git_diff* made = nullptr;
  if (git.git_diff_tree_to_tree(&made, repository.get(), from, to, &options) != 0)
    return git_error_of(git, "compare the commits");
  return GitPointer<git_diff>(made, git.git_diff_free);
}

// Those of the bundle's files that stay as they are: they, too, must be what was committed.
Result<std::vector<FileStep>> unchanged_files(const Repository& repository, const git_oid& head) {
  std::vector<FileStep> files;
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree_of(head));
  for (const auto& [path, file] : GDN_TRY(repository.files_of(tree.get()))) {
    if (repository.in_bundle(path) && file.mode != GIT_FILEMODE_COMMIT)
      files.push_back({.path = path, .before = file, .after = file});
  }
  return files;
}

Result<Json> roll_back(const Repository& repository, const git_oid& target, const fs::path& trial,
                       NewCommit commit) {
  JsonObject about{{"status", ""}, {"baseRef", ref_text(repository, commit.parent)}};
  if (const auto busy = in_the_middle(repository)) return refused(about, *busy);
  commit.tree = GDN_TRY(tree_with_bundle_of(repository, commit.parent, target));
  const BundleReport report = GDN_TRY(check_tree(repository, commit.tree, trial));
  if (!report.ok()) return refused(about, invalid_bundle(report, "as it was then"));
  const GitPointer<git_tree> from = GDN_TRY(repository.tree_of(commit.parent));
  const GitPointer<git_tree> to = GDN_TRY(repository.tree(commit.tree));
  const std::vector<FileStep> steps = GDN_TRY(steps_between(repository, from.get(), to.get()));
  if (steps.empty()) return accepted(about, repository, steps);
  const std::vector<FileStep> all = GDN_TRY(unchanged_files(repository, commit.parent));
  const Published published = GDN_TRY(publish(repository, commit, all));
  if (!published.in_the_way.empty() || published.branch == Published::Branch::HasMovedAlready) {
    return refused(about, {.status = "conflict",
                           .code = "MERGE_CONFLICT",
                           .message = "there are changes in the bundle's folder that nobody has "
                                      "committed",
                           .suggestion = "Commit them, or undo them with git checkout.",
                           .files_key = "conflictingFiles",
                           .files = seen_from_bundle(repository, published.in_the_way)});
  }
  about["newRef"] = ref_text(repository, published.id);
  return accepted(about, repository, steps);
}

}  // namespace

Result<std::vector<Json>> Changesets::log(std::size_t most) {
  const Repository repository = GDN_TRY(Repository::open(place_.bundle_root));
  const git_oid head = GDN_TRY(repository.head());
  std::vector<Json> entries;
  for (const git_oid& id : GDN_TRY(commits_of_bundle(repository, head, most))) {
    const GitPointer<git_commit> commit = GDN_TRY(repository.commit(id));
    entries.push_back(log_entry(repository, id, commit.get()));
  }
  return entries;
}

Result<std::string> Changesets::diff(const std::string& from, const std::string& to) {
  const Repository repository = GDN_TRY(Repository::open(place_.bundle_root));
  const GitLibrary& git = repository.git();
  const git_oid last = GDN_TRY(to.empty() ? repository.head() : repository.find_commit(to));
  std::optional<git_oid> first;
  if (from.empty()) {
    first = GDN_TRY(before_latest(repository, last));
  } else {
    first = GDN_TRY(repository.find_commit(from));
  }
  GitPointer<git_tree> before(nullptr, git.git_tree_free);
  if (first) before = GDN_TRY(bundle_tree(repository, *first));
  const GitPointer<git_tree> after = GDN_TRY(bundle_tree(repository, last));
  const GitPointer<git_diff> diff = GDN_TRY(diff_of(repository, before.get(), after.get()));
  git_buf text{};
  if (git.git_diff_to_buf(&text, diff.get(), GIT_DIFF_FORMAT_PATCH) != 0)
    return git_error_of(git, "write the difference");
  std::string result(text.ptr, text.size);
  git.git_buf_dispose(&text);
  return result;
}

Result<Json> Changesets::rollback(const std::string& ref, const std::string& message,
                                  const std::string& author) {
  const Repository repository = GDN_TRY(Repository::open(place_.bundle_root));
  const fs::path worktrees = GDN_TRY(worktrees_apart(place_));
  const os::UniqueFd lock = GDN_TRY(lock_file_in(worktrees));
  const os::UniqueFd repository_lock = GDN_TRY(lock_folder_itself(repository.common_dir()));
  mend_repository(repository);
  const git_oid head = GDN_TRY(repository.head());
  std::optional<git_oid> target;
  if (ref.empty()) {
    target = GDN_TRY(before_latest(repository, head));
  } else {
    target = GDN_TRY(repository.find_commit(ref));
  }
  if (!target) return no_earlier();
  const GitPointer<git_tree> bundle = GDN_TRY(bundle_tree(repository, *target));
  if (!bundle) return no_earlier();
  const std::string hash = repository.hex(*target);
  NewCommit commit{.parent = head, .author = author};
  commit.message =
      (message.empty() ? "Roll the bundle back to " + hash.substr(0, kShortHash) : message) +
      "\n\nRollback-To: " + hash + "\n";
  return roll_back(repository, *target, worktrees / "rollback.check", std::move(commit));
}

}  // namespace goondan::changeset
