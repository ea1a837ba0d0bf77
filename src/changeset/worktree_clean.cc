#include <chrono>
#include <fstream>
#include <vector>

#include "changeset/worktree.h"
#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kLongestLife{24};
constexpr std::chrono::hours kLongestLifeIfFull{1};

bool is_older_than(std::chrono::hours age, const fs::path& path) {
  std::error_code failure;
  const fs::file_time_type time = fs::last_write_time(path, failure);
  return !failure && fs::file_time_type::clock::now() - time > age;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    names.push_back(at->path().filename().string());
  return names;
}

// Whose this is, is written in it.
bool left_behind(const fs::path& admin, const fs::path& worktrees) {
  std::ifstream note(admin / "gitdir", std::ios::binary);
  std::string line;
  if (!std::getline(note, line)) return is_older_than(kLongestLife, admin);
  const fs::path git_file(line);
  std::error_code ignored;
  return git_file.parent_path().parent_path() == worktrees && !fs::exists(git_file, ignored);
}

}  // namespace

Result<fs::path> worktrees_apart(const Place& place) {
  std::error_code failure;
  const fs::path bundle = fs::weakly_canonical(place.bundle_root, failure);
  const fs::path wanted = fs::weakly_canonical(place.worktrees, failure);
  const fs::path relative = wanted.lexically_relative(bundle);
  if (!relative.empty() && *relative.begin() != "..") {
    return Error{
        .code = ErrorCode::Config,
        .message = "the folder of changesets, '" + wanted.string() + "', is inside of the bundle",
        .suggestion = "Keep the state elsewhere: --state-root, $GOONDAN_STATE_ROOT."};
  }
  fs::create_directories(wanted, failure);
  const fs::path made = fs::canonical(wanted, failure);
  if (failure) return os::os_error("cannot make '" + wanted.string() + "'", failure.value());
  return made;
}

void remove_folder(const fs::path& folder) {
  std::error_code failure;
  fs::remove_all(folder, failure);
  if (!failure) return;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, failure);
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, kOptions, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code ignored;
    if (!at->is_symlink(ignored) && at->is_directory(ignored))
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  }
  fs::remove_all(folder, failure);
}

std::vector<std::string> clean_worktrees(const Repository& repository, const fs::path& worktrees) {
  const fs::path admins = repository.common_dir() / "worktrees";
  remove_folder(repository.common_dir() / kStaging);
  std::vector<std::string> open;
  for (const std::string& name : names_in(worktrees)) {
    if (name == "lock") continue;
    const bool whole = find_worktree(repository, worktrees, name).has_value();
    if (whole && !is_older_than(kLongestLife, admins / name / "gitdir")) {
      open.push_back(name);
    } else if (valid_changeset_id(name)) {
      remove_worktree(repository, worktrees, name);
    } else if (name.ends_with(".check")) {
      remove_folder(worktrees / name);
    }
  }
  for (const std::string& name : names_in(admins))
    if (valid_changeset_id(name) && left_behind(admins / name, worktrees))
      remove_folder(admins / name);
  if (open.size() >= kMaxOpenChangesets) {
    std::erase_if(open, [&](const std::string& name) {
      const bool old = is_older_than(kLongestLifeIfFull, admins / name / "gitdir");
      if (old) remove_worktree(repository, worktrees, name);
      return old;
    });
  }
  return open;
}

}  // namespace goondan::changeset
