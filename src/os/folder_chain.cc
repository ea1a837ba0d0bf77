#include "os/folder_chain.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/path_error.h"
#include "os/path_text.h"

namespace goondan::os {
namespace {

constexpr mode_t kFolderMode = 0777;  // less the umask

// To be read where that is allowed, since only then can it be synced.
UniqueFd open_existing(const Root& root, const std::string& relative) {
  UniqueFd folder = root.open_beneath(relative, O_RDONLY | O_DIRECTORY);
  if (!folder && errno == EACCES) folder = root.open_beneath(relative, O_PATH | O_DIRECTORY);
  return folder;
}

// Makes `name` in `folder` and opens it. That somebody else makes it first is fine.
UniqueFd make_one(int folder, const std::string& name) {
  if (::mkdirat(folder, name.c_str(), kFolderMode) != 0 && errno != EEXIST) return {};
  UniqueFd made(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  // Already there, and not a folder, or it would have been opened on the way: a link to nothing.
  if (!made && (errno == ENOTDIR || errno == ELOOP)) errno = EEXIST;
  return made;
}

}  // namespace

Result<UniqueFd> open_folder_to_write(std::string_view verb, const RootedPath& path,
                                      const std::string& relative, Parents parents) {
  std::vector<std::string> missing;
  std::string present = relative;
  UniqueFd folder = open_existing(*path.root, present);
  while (!folder && errno == ENOENT && parents == Parents::Make && present != ".") {
    SplitPath parts = split_path(present);
    missing.push_back(std::move(parts.name));
    present = std::move(parts.folder);
    folder = open_existing(*path.root, present);
  }
  if (!folder) return path_error(verb, path, errno);
  if (path.guard && !path.guard->may_write(folder.get())) return guarded_error(verb, path);
  for (; !missing.empty(); missing.pop_back()) {
    UniqueFd made = make_one(folder.get(), missing.back());
    if (!made) return path_error(verb, path, errno);
    folder = std::move(made);
  }
  return folder;
}

}  // namespace goondan::os
