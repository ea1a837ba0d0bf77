#include "changeset/changesets.h"

#include "changeset/locks.h"
#include "changeset/worktree.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRecommended = 20;

// What an agent will most likely want to change: the bundle's own documents.
JsonArray recommended_files(const Repository& repository, const TreeFiles& files) {
  JsonArray names;
  for (const auto& [path, file] : files) {
    const std::optional<std::string> name = repository.in_bundle(path);
    if (name && names.size() < kMaxRecommended &&
        (name->ends_with(".yaml") || name->ends_with(".yml")))
      names.emplace_back(*name);
  }
  return names;
}

Error not_committed(const Repository& repository) {
  return {.code = ErrorCode::Config,
          .message = "the latest commit of the Git repository '" + repository.work_tree().string() +
                     "' does not hold the bundle",
          .suggestion = "Commit its files: git add . && git commit -m 'Begin'"};
}

Error too_many_open(const std::vector<std::string>& ids) {
  std::string names;
  for (const std::string& id : ids)
    names += (names.empty() ? "" : ", ") + id;
  return {.code = ErrorCode::Limit,
          .message = std::to_string(kMaxOpenChangesets) +
                     " changesets are open already, which is the most: " + names,
          .suggestion =
              "Commit one of them; one without any change is closed by that, too. If all "
              "are taken, those that are more than an hour old end by themselves."};
}

}  // namespace

Changesets::Changesets(Place place) : place_(std::move(place)) {}

Result<Json> Changesets::open(const std::string& reason) {
  const Repository repository = GDN_TRY(Repository::open(place_.bundle_root));
  const git_oid base = GDN_TRY(repository.head());
  const fs::path worktrees = GDN_TRY(worktrees_apart(place_));
  const os::UniqueFd lock = GDN_TRY(lock_file_in(worktrees));
  const os::UniqueFd repository_lock = GDN_TRY(lock_folder_itself(repository.common_dir()));
  const std::vector<std::string> open = clean_worktrees(repository, worktrees);
  if (open.size() >= kMaxOpenChangesets) return too_many_open(open);
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree_of(base));
  const TreeFiles files = GDN_TRY(repository.files_of(tree.get()));
  const JsonArray recommended = recommended_files(repository, files);
  if (recommended.empty()) return not_committed(repository);
  const Worktree worktree = GDN_TRY(make_worktree(repository, worktrees, base, reason));
  std::string bundle = repository.offset();
  if (!bundle.empty()) bundle.pop_back();
  return JsonObject{{"changesetId", worktree.id},
                    {"baseRef", ref_text(repository, base)},
                    {"workdir", worktree.folder.string()},
                    {"hint", JsonObject{{"bundleRootInWorkdir", bundle.empty() ? "." : bundle},
                                        {"recommendedFiles", recommended}}}};
}

}  // namespace goondan::changeset
