#include "changeset/publish.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "changeset/branch.h"
#include "changeset/checkout.h"
#include "changeset/folder.h"
#include "changeset/git_locks.h"
#include "changeset/index_entry.h"
#include "changeset/swap.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndexFile = "index.goondan";
constexpr int kMostIndexTries = 20;

// Characters that would end the name in Git's own format are left out.
std::string signature_name(std::string name) {
  std::erase_if(name,
                [](unsigned char c) { return c < 0x20 || c == '<' || c == '>' || c == 0x7f; });
  return name.find_first_not_of(' ') == std::string::npos ? "goondan" : name;
}

Result<GitPointer<git_signature>> signature(const Repository& repository,
                                            const std::string& author) {
  const GitLibrary& git = repository.git();
  git_signature* made = nullptr;
  if (author.empty() && git.git_signature_default(&made, repository.get()) == 0)
    return GitPointer<git_signature>(made, git.git_signature_free);
  if (git.git_signature_now(&made, signature_name(author).c_str(), "changesets@goondan.invalid") !=
      0) {
    return git_error_of(git, "name the author of the commit");
  }
  return GitPointer<git_signature>(made, git.git_signature_free);
}

Result<git_oid> write_commit(const Repository& repository, const NewCommit& commit) {
  const GitLibrary& git = repository.git();
  const GitPointer<git_signature> author = GDN_TRY(signature(repository, commit.author));
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree(commit.tree));
  const GitPointer<git_commit> parent = GDN_TRY(repository.commit(commit.parent));
  const git_commit* parents[] = {parent.get()};
  git_oid id{};
  if (git.git_commit_create(&id, repository.get(), nullptr, author.get(), author.get(), nullptr,
                            commit.message.c_str(), tree.get(), 1, parents) != 0) {
    return git_error_of(git, "write the commit");
  }
  return id;
}

// What the file looks like, if it still is what the step has made of it. Otherwise nothing: with
// the looks of what a person has saved meanwhile, Git would take that for the committed file.
Result<std::optional<struct stat>> looks_of(const Repository& repository, const Folder& folder,
                                            const FileStep& step) {
  const std::optional<struct stat> status = GDN_TRY(folder.look(step.path));
  if (!status || S_ISDIR(status->st_mode) || mode_of(*status) != step.after->mode)
    return std::optional<struct stat>();
  const std::size_t size = GDN_TRY(repository.content_size(step.after->id));
  const std::string bytes = GDN_TRY(folder.read(step.path, size));
  const git_oid id = GDN_TRY(repository.hash(bytes));
  return repository.equal(id, step.after->id) ? status : std::nullopt;
}

// Of the index as it is now, `steps` taken: written to `prepared`. Returns the files for which a
// person has staged something else.
Result<std::vector<std::string>> prepare_index(const Repository& repository,
                                               const std::vector<FileStep>& steps,
                                               const fs::path& file, const fs::path& prepared) {
  const GitLibrary& git = repository.git();
  std::error_code failure;
  fs::remove(prepared, failure);  // never written over: it may be a second name of the index
  fs::copy_file(file, prepared, failure);
  git_index* opened = nullptr;
  if (git.git_index_open(&opened, prepared.c_str()) != 0)
    return git_error_of(git, "read Git's index of the bundle");
  const GitPointer<git_index> index(opened, git.git_index_free);
  std::vector<std::string> theirs;
  for (const FileStep& step : steps)
    if (!index_agrees(repository, opened, step)) theirs.push_back(step.path);
  if (!theirs.empty()) return theirs;
  const Folder folder = GDN_TRY(Folder::open(repository.work_tree()));
  for (const FileStep& step : steps)
    if (!step.after) git.git_index_remove(opened, step.path.c_str(), 0);
  for (const FileStep& step : steps) {
    if (!step.after) continue;
    const auto looks = GDN_TRY(looks_of(repository, folder, step));
    const git_index_entry entry = index_entry(step.path, *step.after, looks);
    if (git.git_index_add(opened, &entry) != 0)
      return git_error_of(git, "index '" + step.path + "'");
  }
  if (git.git_index_write(opened) != 0) return git_error_of(git, "write Git's index");
  return theirs;
}

// Git never writes to an index, but puts another in its place.
bool is_same_index(const struct stat& one, const struct stat& other) {
  return one.st_ino == other.st_ino && one.st_size == other.st_size &&
         one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

struct stat status_of_index(const fs::path& file) {
  struct stat status {};
  ::stat(file.c_str(), &status);  // if there is none, it remains zero
  return status;
}

// Brings `steps` to Git's index, at once. A person may stage files at the same time: then it is
// done again with what they have made. Returns the files for which they have staged something else;
// nothing is changed then.
Result<std::vector<std::string>> index_steps(const Repository& repository,
                                             const std::vector<FileStep>& steps) {
  const fs::path file = repository.git_dir() / "index";
  const fs::path prepared = repository.git_dir() / kIndexFile;
  for (int tries = 0; tries < kMostIndexTries; ++tries) {
    const struct stat seen = status_of_index(file);
    const auto theirs = GDN_TRY(prepare_index(repository, steps, file, prepared));
    if (!theirs.empty()) {
      std::error_code ignored;
      fs::remove(prepared, ignored);
      return theirs;
    }
    const auto unchanged = [&] { return is_same_index(seen, status_of_index(file)); };
    if (GDN_TRY(replace_locked(prepared, file, unchanged)) == Replaced::Yes) return theirs;
  }
  return Error{.code = ErrorCode::StoreBusy,
               .message = "Git's index of the bundle is changed by others all the time",
               .suggestion = "Try again when they have finished."};
}

// Returns the files that a person works on; the branch must not move then.
Result<std::vector<std::string>> change_files(const Repository& repository,
                                              const std::vector<FileStep>& steps) {
  std::vector<std::string> theirs = GDN_TRY(apply_steps(repository, steps));
  if (theirs.empty()) theirs = GDN_TRY(index_steps(repository, steps));
  return theirs;
}

// What was there goes back, unless somebody has changed it since.
Result<void> take_back(const Repository& repository, const std::vector<FileStep>& steps) {
  std::vector<FileStep> back = reversed(steps);
  const std::vector<std::string> theirs = GDN_TRY(files_in_the_way(repository, back));
  std::erase_if(back, [&](const FileStep& step) {
    return std::ranges::find(theirs, step.path) != theirs.end();
  });
  GDN_TRY(apply_steps(repository, back));
  GDN_TRY(index_steps(repository, back));
  return {};
}

}  // namespace

Result<Published> publish(const Repository& repository, const NewCommit& commit,
                          const std::vector<FileStep>& must_be_clean) {
  const GitPointer<git_tree> from = GDN_TRY(repository.tree_of(commit.parent));
  const GitPointer<git_tree> to = GDN_TRY(repository.tree(commit.tree));
  const std::vector<FileStep> steps = GDN_TRY(steps_between(repository, from.get(), to.get()));
  Published published;
  published.in_the_way = GDN_TRY(files_in_the_way(repository, must_be_clean));
  if (published.in_the_way.empty())
    published.in_the_way = GDN_TRY(files_in_the_way(repository, steps));
  if (!published.in_the_way.empty()) return published;
  published.id = GDN_TRY(write_commit(repository, commit));
  const Result<std::vector<std::string>> changed = change_files(repository, steps);
  Result<Replaced> moved = Replaced::No;
  if (changed.ok() && changed->empty())
    moved = move_branch(repository, commit.parent, published.id, commit.message);
  if (moved.ok() && *moved == Replaced::Yes) return published;
  // A full disk, a folder that may not be written to, or a person was faster.
  const Result<void> taken_back = take_back(repository, steps);
  if (!changed.ok()) return changed.error();
  if (!moved.ok()) return moved.error();
  if (!taken_back.ok()) return taken_back.error();
  published.in_the_way = *changed;
  if (changed->empty()) published.branch = Published::Branch::HasMovedAlready;
  return published;
}

void mend_repository(const Repository& repository) {
  std::error_code ignored;
  fs::remove(repository.git_dir() / (std::string(kIndexFile) + ".lock"), ignored);
  remove_stale(repository.git_dir() / kIndexFile, repository.git_dir());
  mend_branch(repository);
  mend_swap(repository);
}

}  // namespace goondan::changeset
