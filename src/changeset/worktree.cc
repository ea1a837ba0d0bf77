#include "changeset/worktree.h"

#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "changeset/folder.h"
#include "changeset/index_entry.h"
#include "os/file_bytes.h"
#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOpened = "open changeset: ";

fs::path admin_folder(const Repository& repository, const std::string& id) {
  return repository.common_dir() / "worktrees" / id;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

Result<void> write_note(const fs::path& path, const std::string& text) {
  const os::UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  std::string_view rest = text;
  if (!file || !os::write_all(file.get(), rest))
    return os::os_error("cannot write '" + path.string() + "'", errno);
  return {};
}

// Where what Git knows of a work tree is made and taken apart: Git looks at it only while it is
// whole.
fs::path staging_folder(const Repository& repository, const std::string& id) {
  return repository.common_dir() / kStaging / id;
}

Result<void> write_admin(const Repository& repository, const Worktree& worktree) {
  const fs::path admin = staging_folder(repository, worktree.id);
  std::error_code failure;
  fs::create_directories(admin / "logs", failure);
  if (failure) return os::os_error("cannot make '" + admin.string() + "'", failure.value());
  const std::string hash = repository.hex(worktree.base);
  GDN_TRY(write_note(admin / "gitdir", (worktree.folder / ".git").string() + "\n"));
  GDN_TRY(write_note(admin / "commondir", "../..\n"));
  GDN_TRY(write_note(admin / "HEAD", hash + "\n"));
  return write_note(admin / "logs" / "HEAD", std::string(GIT_OID_HEXSZ, '0') + " " + hash +
                                                 " goondan <changesets@goondan.invalid> " +
                                                 std::to_string(std::time(nullptr)) + " +0000\t" +
                                                 std::string(kOpened) + one_line(worktree.reason) +
                                                 "\n");
}

// So that `git status` in the work tree has nothing to report.
Result<void> write_index(const Repository& repository, const Worktree& worktree,
                         const TreeFiles& files) {
  const GitLibrary& git = repository.git();
  const fs::path path = staging_folder(repository, worktree.id) / "index";
  git_index* opened = nullptr;
  if (git.git_index_open(&opened, path.c_str()) != 0)
    return git_error_of(git, "make the index of a changeset");
  const GitPointer<git_index> index(opened, git.git_index_free);
  const Folder folder = GDN_TRY(Folder::open(worktree.folder));
  for (const auto& [name, file] : files) {
    const git_index_entry entry = index_entry(name, file, GDN_TRY(folder.look(name)));
    if (git.git_index_add(opened, &entry) != 0) return git_error_of(git, "index '" + name + "'");
  }
  if (git.git_index_write(opened) != 0) return git_error_of(git, "write the index of a changeset");
  return {};
}

Result<void> fill(const Repository& repository, const Worktree& worktree) {
  GDN_TRY(write_admin(repository, worktree));
  std::error_code failure;
  fs::create_directory(worktree.folder, failure);
  if (failure) return os::os_error("cannot make a changeset's folder", failure.value());
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree_of(worktree.base));
  const TreeFiles files = GDN_TRY(repository.files_of(tree.get()));
  GDN_TRY(write_files(repository, files, "", worktree.folder));
  GDN_TRY(write_index(repository, worktree, files));
  const fs::path admin = admin_folder(repository, worktree.id);
  GDN_TRY(write_note(worktree.folder / ".git", "gitdir: " + admin.string() + "\n"));
  fs::create_directories(admin.parent_path(), failure);
  fs::rename(staging_folder(repository, worktree.id), admin, failure);
  if (failure) return os::os_error("cannot make '" + admin.string() + "'", failure.value());
  return {};
}

}  // namespace

bool valid_changeset_id(std::string_view id) {
  return id.size() == 15 && id.starts_with("cs-") &&
         id.find_first_not_of("0123456789abcdef", 3) == std::string_view::npos;
}

Result<void> write_files(const Repository& repository, const TreeFiles& files,
                         const std::string& prefix, const fs::path& path) {
  const Folder folder = GDN_TRY(Folder::open(path));
  for (auto at = files.lower_bound(prefix); at != files.end(); ++at) {
    const auto& [name, file] = *at;
    if (!name.starts_with(prefix)) break;
    const std::string below = name.substr(prefix.size());
    if (file.mode == GIT_FILEMODE_COMMIT) {  // a submodule: an empty folder, as Git makes it
      std::error_code ignored;
      fs::create_directories(path / below, ignored);
      continue;
    }
    const std::string bytes = GDN_TRY(repository.content(file.id));
    GDN_TRY(folder.write(below, bytes, file.mode));
  }
  return {};
}

Result<Worktree> make_worktree(const Repository& repository, const fs::path& worktrees,
                               const git_oid& base, const std::string& reason) {
  Worktree worktree{.id = "cs-" + random_hex(6), .folder = {}, .base = base, .reason = reason};
  worktree.folder = worktrees / worktree.id;
  const Result<void> filled = fill(repository, worktree);
  if (filled.ok()) return worktree;
  remove_worktree(repository, worktrees, worktree.id);
  return filled.error();
}

std::optional<Worktree> find_worktree(const Repository& repository, const fs::path& worktrees,
                                      const std::string& id) {
  if (!valid_changeset_id(id)) return std::nullopt;
  Worktree worktree{.id = id, .folder = worktrees / id};
  std::error_code ignored;
  if (!fs::is_directory(fs::symlink_status(worktree.folder, ignored)) ||
      !fs::is_regular_file(fs::symlink_status(worktree.folder / ".git", ignored))) {
    return std::nullopt;
  }
  std::ifstream log(admin_folder(repository, id) / "logs" / "HEAD", std::ios::binary);
  std::string line;
  constexpr std::size_t kHashAt = GIT_OID_HEXSZ + 1;
  if (!std::getline(log, line) || line.size() < kHashAt + GIT_OID_HEXSZ) return std::nullopt;
  const std::string hash = line.substr(kHashAt, GIT_OID_HEXSZ);
  if (repository.git().git_oid_fromstr(&worktree.base, hash.c_str()) != 0) return std::nullopt;
  const std::size_t tab = line.find('\t');
  if (tab != std::string::npos && line.compare(tab + 1, kOpened.size(), kOpened) == 0)
    worktree.reason = line.substr(tab + 1 + kOpened.size());
  return worktree;
}

void remove_worktree(const Repository& repository, const fs::path& worktrees,
                     const std::string& id) {
  std::error_code ignored;
  const fs::path staging = staging_folder(repository, id);
  fs::create_directories(staging.parent_path(), ignored);
  fs::rename(admin_folder(repository, id), staging, ignored);  // no changeset any more
  remove_folder(staging);
  fs::remove(staging.parent_path(), ignored);  // if it is empty
  remove_folder(worktrees / id);
}

}  // namespace goondan::changeset
