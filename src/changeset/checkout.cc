#include "changeset/checkout.h"

#include <filesystem>
#include <map>

#include "changeset/folder.h"
#include "changeset/index_entry.h"
#include "changeset/swap.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr int kMostIndexReads = 5;

// One look at the files that are to change.
class Inspection {
 public:
  static Result<Inspection> begin(const Repository& repository, const Folder& folder,
                                  const std::vector<FileStep>& steps) {
    const fs::path path = repository.git_dir() / "index";
    struct stat status {};
    ::stat(path.c_str(), &status);  // that of an earlier one is as good
    const GitLibrary& git = repository.git();
    git_index* opened = nullptr;
    // libgit2 asks for its size before it opens it: what Git has put in its place in between may
    // seem to be cut off.
    int failed = git.git_index_open(&opened, path.c_str());
    for (int tries = 1; failed != 0 && tries < kMostIndexReads; ++tries)
      failed = git.git_index_open(&opened, path.c_str());
    if (failed != 0) return git_error_of(git, "read Git's index of the bundle");
    Inspection inspection(repository, folder, {opened, git.git_index_free});
    inspection.index_written_ = status.st_mtim;
    for (const FileStep& step : steps)
      inspection.steps_.emplace(step.path, &step);
    return inspection;
  }

  [[nodiscard]] bool staged(const FileStep& step) const {
    return !index_agrees(repository_, index_.get(), step);
  }

  // On disk.
  [[nodiscard]] Result<bool> in_the_way(const FileStep& step) const {
    const std::optional<struct stat> status = GDN_TRY(folder_.look(step.path));
    if (!status) return GDN_TRY(parent_blocked(step)) || (step.before && step.after);
    if (S_ISDIR(status->st_mode)) return folder_blocked(step);
    return !GDN_TRY(is_known(step, folder_, step.path));
  }

  // A file of the step, wherever it lies now, must be one of the two, or look to Git as it did when
  // it was checked out (its bytes differ where filters of the repository have changed them).
  [[nodiscard]] Result<bool> is_known(const FileStep& step, const Folder& folder,
                                      const std::string& path) const {
    const std::optional<struct stat> status = GDN_TRY(folder.look(path));
    if (!status || (!S_ISREG(status->st_mode) && !S_ISLNK(status->st_mode))) return false;
    const git_filemode_t mode = mode_of(*status);
    // What has another size is not read: it may be huge.
    if (GDN_TRY(has_size_of(step.before, *status)) || GDN_TRY(has_size_of(step.after, *status))) {
      const auto size = static_cast<std::size_t>(status->st_size);
      const std::string bytes = GDN_TRY(folder.read(path, size));
      const git_oid id = GDN_TRY(repository_.hash(bytes));
      const TreeFile now{.id = id, .mode = mode};
      if (same_file(now, step.before) || same_file(now, step.after)) return true;
    }
    const git_index_entry* entry =
        repository_.git().git_index_get_bypath(index_.get(), step.path.c_str(), 0);
    return entry != nullptr && step.before && step.before->mode == mode &&
           repository_.equal(entry->id, step.before->id) &&
           looks_unchanged(*entry, *status, index_written_);
  }

 private:
  Inspection(const Repository& repository, const Folder& folder, GitPointer<git_index> index)
      : repository_(repository), folder_(folder), index_(std::move(index)) {}

  Result<bool> has_size_of(const std::optional<TreeFile>& file, const struct stat& status) const {
    if (!file || file->mode == GIT_FILEMODE_COMMIT) return false;
    return GDN_TRY(repository_.content_size(file->id)) == static_cast<std::size_t>(status.st_size);
  }

  [[nodiscard]] bool goes(const std::string& path) const {
    const auto found = steps_.find(path);
    return found != steps_.end() && !found->second->after;
  }

  // A new file needs the folders above it, where something else may be.
  Result<bool> parent_blocked(const FileStep& step) const {
    if (!step.after) return false;
    for (std::size_t slash = step.path.find('/'); slash != std::string::npos;
         slash = step.path.find('/', slash + 1)) {
      const std::string above = step.path.substr(0, slash);
      const std::optional<struct stat> status = GDN_TRY(folder_.look(above));
      if (status && !S_ISDIR(status->st_mode) && !goes(above)) return true;
    }
    return false;
  }

  // A folder gives way to a file only if all that is in it goes; and it may be there already in
  // place of a file that goes.
  Result<bool> folder_blocked(const FileStep& step) const {
    if (step.before && step.after) return true;
    const fs::path root = repository_.work_tree();
    std::error_code failure;
    for (fs::recursive_directory_iterator at(root / step.path, failure), end; !failure && at != end;
         at.increment(failure)) {
      if (at->is_directory() && !at->is_symlink()) continue;
      const std::string path = at->path().lexically_relative(root).generic_string();
      if (step.after ? !goes(path) : !steps_.contains(path)) return true;
    }
    return static_cast<bool>(failure);
  }

  const Repository& repository_;
  const Folder& folder_;
  GitPointer<git_index> index_;
  struct timespec index_written_ {};
  std::map<std::string, const FileStep*> steps_;
};

Result<Swap::Outcome> apply(const Repository& repository, const Folder& folder, const Swap& swap,
                            const FileStep& step, const Swap::IsKnown& is_known) {
  if (!step.after) return swap.take_away(step.path, is_known);
  const std::string bytes = GDN_TRY(repository.content(step.after->id));
  const std::optional<struct stat> status = GDN_TRY(folder.look(step.path));
  if (status && S_ISDIR(status->st_mode)) GDN_TRY(folder.remove_empty(step.path));
  return swap.put(step.path, bytes, step.after->mode, is_known);
}

}  // namespace

bool index_agrees(const Repository& repository, git_index* index, const FileStep& step) {
  std::optional<TreeFile> staged;
  if (const auto* entry = repository.git().git_index_get_bypath(index, step.path.c_str(), 0))
    staged = TreeFile{.id = entry->id, .mode = static_cast<git_filemode_t>(entry->mode)};
  return same_file(staged, step.before) || same_file(staged, step.after);
}

Result<std::vector<std::string>> files_in_the_way(const Repository& repository,
                                                  const std::vector<FileStep>& steps) {
  const Folder folder = GDN_TRY(Folder::open(repository.work_tree()));
  const Inspection inspection = GDN_TRY(Inspection::begin(repository, folder, steps));
  std::vector<std::string> paths;
  for (const FileStep& step : steps)
    if (inspection.staged(step) || GDN_TRY(inspection.in_the_way(step))) paths.push_back(step.path);
  return paths;
}

Result<std::vector<std::string>> apply_steps(const Repository& repository,
                                             const std::vector<FileStep>& steps) {
  const Folder folder = GDN_TRY(Folder::open(repository.work_tree()));
  const Inspection inspection = GDN_TRY(Inspection::begin(repository, folder, steps));
  const Swap swap = GDN_TRY(Swap::begin(repository, folder));
  std::vector<std::string> theirs;
  const auto change = [&](const FileStep& step) -> Result<void> {
    const auto is_known = [&](const Folder& where, const std::string& path) {
      return inspection.is_known(step, where, path);
    };
    Swap::Outcome outcome = Swap::Outcome::LeftAlone;
    if (!GDN_TRY(inspection.in_the_way(step)))
      outcome = GDN_TRY(apply(repository, folder, swap, step, is_known));
    if (outcome == Swap::Outcome::LeftAlone) theirs.push_back(step.path);
    return {};
  };
  // What goes makes room for what comes: a file may become a folder, and a folder a file.
  for (const FileStep& step : steps)
    if (!step.after) GDN_TRY(change(step));
  for (const FileStep& step : steps)
    if (step.after) GDN_TRY(change(step));
  return theirs;
}

std::vector<FileStep> reversed(std::vector<FileStep> steps) {
  for (FileStep& step : steps)
    std::swap(step.before, step.after);
  return steps;
}

}  // namespace goondan::changeset
