#include "changeset/checkout.h"

#include <filesystem>
#include <map>

#include "changeset/folder.h"
#include "changeset/index_entry.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

// One look at the files that are to change.
class Inspection {
 public:
  Inspection(const Repository& repository, const Folder& folder, git_index* index,
             const std::vector<FileStep>& steps)
      : repository_(repository), folder_(folder), index_(index) {
    for (const FileStep& step : steps)
      steps_.emplace(step.path, &step);
  }

  Result<bool> in_the_way(const FileStep& step) const {
    if (!index_agrees(step)) return true;
    const std::optional<struct stat> status = GDN_TRY(folder_.look(step.path));
    if (!status) return GDN_TRY(parent_blocked(step)) || (step.before && step.after);
    if (S_ISDIR(status->st_mode)) return folder_blocked(step);
    return !GDN_TRY(is_known(step, *status));
  }

 private:
  [[nodiscard]] const git_index_entry* entry_of(const std::string& path) const {
    return repository_.git().git_index_get_bypath(index_, path.c_str(), 0);
  }

  // Whether nothing is staged but what was committed, or what will be.
  [[nodiscard]] bool index_agrees(const FileStep& step) const {
    std::optional<TreeFile> staged;
    if (const git_index_entry* entry = entry_of(step.path))
      staged = TreeFile{.id = entry->id, .mode = static_cast<git_filemode_t>(entry->mode)};
    return same_file(staged, step.before) || same_file(staged, step.after);
  }

  // A file that is there must be one of the two, or look to Git as it did when it was checked out
  // (its bytes differ where filters of the repository have changed them).
  Result<bool> is_known(const FileStep& step, const struct stat& status) const {
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return false;
    git_filemode_t mode = GIT_FILEMODE_BLOB;
    if (S_ISLNK(status.st_mode)) {
      mode = GIT_FILEMODE_LINK;
    } else if ((status.st_mode & S_IXUSR) != 0) {
      mode = GIT_FILEMODE_BLOB_EXECUTABLE;
    }
    const std::string bytes = GDN_TRY(folder_.read(step.path));
    const git_oid id = GDN_TRY(repository_.hash(bytes));
    const TreeFile now{.id = id, .mode = mode};
    if (same_file(now, step.before) || same_file(now, step.after)) return true;
    const git_index_entry* entry = entry_of(step.path);
    return entry != nullptr && step.before && step.before->mode == mode &&
           repository_.equal(entry->id, step.before->id) && looks_unchanged(*entry, status);
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
  git_index* index_;
  std::map<std::string, const FileStep*> steps_;
};

}  // namespace

Result<std::vector<std::string>> files_in_the_way(const Repository& repository,
                                                  const std::vector<FileStep>& steps) {
  const GitLibrary& git = repository.git();
  git_index* opened = nullptr;
  const fs::path path = repository.git_dir() / "index";
  if (git.git_index_open(&opened, path.c_str()) != 0)
    return git_error_of(git, "read Git's index of the bundle");
  const GitPointer<git_index> index(opened, git.git_index_free);
  const Folder folder = GDN_TRY(Folder::open(repository.work_tree()));
  const Inspection inspection(repository, folder, opened, steps);
  std::vector<std::string> paths;
  for (const FileStep& step : steps)
    if (GDN_TRY(inspection.in_the_way(step))) paths.push_back(step.path);
  return paths;
}

Result<void> apply_steps(const Repository& repository, const std::vector<FileStep>& steps) {
  const Folder folder = GDN_TRY(Folder::open(repository.work_tree()));
  // What goes makes room for what comes: a file may become a folder, and a folder a file.
  for (const FileStep& step : steps)
    if (!step.after) GDN_TRY(folder.remove(step.path));
  for (const FileStep& step : steps) {
    if (!step.after) continue;
    const std::optional<struct stat> status = GDN_TRY(folder.look(step.path));
    if (status && S_ISDIR(status->st_mode)) {  // empty ones that Git does not know
      std::error_code ignored;
      fs::remove_all(repository.work_tree() / step.path, ignored);
    }
    const std::string bytes = GDN_TRY(repository.content(step.after->id));
    GDN_TRY(folder.write(step.path, bytes, step.after->mode));
  }
  return {};
}

std::vector<FileStep> reversed(std::vector<FileStep> steps) {
  for (FileStep& step : steps)
    std::swap(step.before, step.after);
  return steps;
}

}  // namespace goondan::changeset
