#include "changeset/scan.h"

#include <algorithm>
#include <set>

#include "changeset/changesets.h"
#include "changeset/folder.h"
#include "changeset/git_names.h"

namespace goondan::changeset {
namespace {

// One comparison of a work tree with a tree.
class Scanner {
 public:
  Scanner(const Repository& repository, git_repository* ignores, const Folder& folder,
          const std::filesystem::path& root, const TreeFiles& base)
      : repository_(repository), ignores_(ignores), folder_(folder), root_(root), base_(base) {}

  Result<Scan> run() {
    GDN_TRY(look_into("", 0));
    for (const auto& [path, file] : base_)
      if (!seen_.contains(path) && file.mode != GIT_FILEMODE_COMMIT)
        add({.kind = Change::Kind::Deleted, .path = path, .mode = file.mode});
    std::ranges::sort(scan_.changes, {}, &Change::path);
    return std::move(scan_);
  }

 private:
  Result<void> look_into(const std::string& folder, std::size_t depth) {
    const std::string prefix = folder.empty() ? "" : folder + "/";
    if (!GDN_TRY(ignores_can_be_read(prefix + ".gitignore"))) return {};
    for (const std::string& name : GDN_TRY(folder_.names(folder))) {
      if (scan_.limit != Scan::Limit::Kept) return {};
      const std::string path = prefix + name;
      if (path == ".git") continue;  // the work tree's own
      const std::optional<struct stat> status = GDN_TRY(folder_.look(path));
      if (!status) continue;
      if (names_git_folder(name) || is_new_steering_link(path, name, *status)) {
        scan_.unsupported.push_back(path);
      } else if (S_ISDIR(status->st_mode)) {
        GDN_TRY(look_at_folder(path, depth + 1));
      } else {
        GDN_TRY(look_at_file(path, *status));
      }
    }
    return {};
  }

  [[nodiscard]] bool was_link(const std::string& path) const {
    const auto known = base_.find(path);
    return known != base_.end() && known->second.mode == GIT_FILEMODE_LINK;
  }

  [[nodiscard]] bool is_new_steering_link(const std::string& path, const std::string& name,
                                          const struct stat& status) const {
    return S_ISLNK(status.st_mode) && !was_link(path) && steers_git(repository_.git(), name);
  }

  // libgit2 opens it to learn what is ignored, and would wait for ever for the other end of a pipe.
  Result<bool> ignores_can_be_read(const std::string& path) {
    const std::optional<struct stat> status = GDN_TRY(folder_.look(path));
    bool readable = !status || S_ISREG(status->st_mode);
    if (status && S_ISLNK(status->st_mode) && was_link(path)) {
      std::error_code ignored;
      const auto target = std::filesystem::status(root_ / path, ignored).type();
      readable = target == std::filesystem::file_type::regular ||
                 target == std::filesystem::file_type::not_found;
    }
    if (!readable) scan_.unsupported.push_back(path);
    return readable;
  }

  Result<void> look_at_folder(const std::string& path, std::size_t depth) {
    const auto known = base_.find(path);
    if (known != base_.end() && known->second.mode == GIT_FILEMODE_COMMIT) {
      seen_.insert(path);
      if (!GDN_TRY(folder_.names(path)).empty()) scan_.unsupported.push_back(path);
      return {};
    }
    const auto below = base_.lower_bound(path + "/");
    const bool tracked = below != base_.end() && below->first.starts_with(path + "/");
    if (!tracked && is_ignored(path + "/")) return {};
    if (!tracked && depth > kMaxNewFolders) {
      scan_.limit = Scan::Limit::TooDeep;
      return {};
    }
    return look_into(path, depth);
  }

  Result<void> look_at_file(const std::string& path, const struct stat& status) {
    const auto known = base_.find(path);
    const bool tracked = known != base_.end();
    if (!tracked && is_ignored(path)) return {};
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
      scan_.unsupported.push_back(path);
      return {};
    }
    seen_.insert(path);
    Change change{.kind = tracked ? Change::Kind::Modified : Change::Kind::Added,
                  .path = path,
                  .mode = mode_of(status)};
    if (tracked && known->second.mode == GIT_FILEMODE_COMMIT) {
      scan_.unsupported.push_back(path);
      return {};
    }
    if (static_cast<std::size_t>(status.st_size) > kMaxChangedBytes) {
      if (!tracked || !is_same_large(path, known->second, change.mode))
        scan_.limit = Scan::Limit::TooManyBytes;
      return {};
    }
    change.bytes = GDN_TRY(folder_.read(path, kMaxChangedBytes));
    const git_oid id = GDN_TRY(repository_.hash(change.bytes));
    const TreeFile now{.id = id, .mode = change.mode};
    if (!tracked || !same_file(now, known->second)) add(std::move(change));
    return {};
  }

  // Without holding all of it in memory.
  bool is_same_large(const std::string& path, const TreeFile& known, git_filemode_t mode) const {
    git_oid id{};
    const GitLibrary& git = repository_.git();
    const std::string whole = (root_ / path).string();
    if (git.git_odb_hashfile(&id, whole.c_str(), GIT_OBJECT_BLOB) != 0) return false;
    return same_file(TreeFile{.id = id, .mode = mode}, known);
  }

  bool is_ignored(const std::string& path) const {
    int ignored = 0;
    const int result =
        repository_.git().git_ignore_path_is_ignored(&ignored, ignores_, path.c_str());
    return result == 0 && ignored != 0;
  }

  void add(Change change) {
    bytes_ += change.bytes.size();
    if (scan_.changes.size() >= kMaxChangedFiles) scan_.limit = Scan::Limit::TooManyFiles;
    if (bytes_ > kMaxChangedBytes) scan_.limit = Scan::Limit::TooManyBytes;
    if (scan_.limit == Scan::Limit::Kept) scan_.changes.push_back(std::move(change));
  }

  const Repository& repository_;
  git_repository* ignores_;
  const Folder& folder_;
  const std::filesystem::path& root_;
  const TreeFiles& base_;
  std::set<std::string> seen_;
  Scan scan_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<Scan> scan_worktree(const Repository& repository, const Worktree& worktree) {
  const GitLibrary& git = repository.git();
  // What is ignored is said by the work tree's own files. It is not opened by its `.git`, which an
  // agent may have changed.
  git_repository* opened = nullptr;
  if (git.git_repository_open(&opened, repository.common_dir().c_str()) != 0)
    return git_error_of(git, "open the Git repository");
  const GitPointer<git_repository> ignores(opened, git.git_repository_free);
  if (git.git_repository_set_workdir(opened, worktree.folder.c_str(), 0) != 0)
    return git_error_of(git, "look into the changeset");
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree_of(worktree.base));
  const TreeFiles base = GDN_TRY(repository.files_of(tree.get()));
  const Folder folder = GDN_TRY(Folder::open(worktree.folder));
  return Scanner(repository, opened, folder, worktree.folder, base).run();
}

}  // namespace goondan::changeset
