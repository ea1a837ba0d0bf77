#include "os/write_guard.h"

#include <fcntl.h>

#include <climits>

namespace goondan::os {
namespace {

// A path has no more parts than this.
constexpr int kMaxLevels = PATH_MAX / 2;

std::optional<FolderId> id_of(int folder) {
  struct stat status {};
  if (::fstat(folder, &status) != 0) return std::nullopt;
  return FolderId{.device = status.st_dev, .inode = status.st_ino};
}

}  // namespace

const WriteGuard::Mark* WriteGuard::find(const FolderId& id) const {
  const auto found = std::ranges::find(marks_, id, &Mark::id);
  return found == marks_.end() ? nullptr : &*found;
}

bool WriteGuard::may_write(int folder) const {
  UniqueFd above;
  std::optional<FolderId> id = id_of(folder);
  for (int level = 0; id && level < kMaxLevels; ++level) {
    if (const Mark* mark = find(*id)) return mark->access == Access::ReadWrite;
    above.reset(::openat(above ? above.get() : folder, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const std::optional<FolderId> next = above ? id_of(above.get()) : std::nullopt;
    if (next == id) return false;  // the top of the file system
    id = next;
  }
  return false;
}

}  // namespace goondan::os
