#include "changeset/index_entry.h"

#include <utility>

namespace goondan::changeset {

git_index_entry index_entry(const std::string& path, const TreeFile& file,
                            const std::optional<struct stat>& status) {
  git_index_entry entry{};
  entry.path = path.c_str();
  entry.id = file.id;
  entry.mode = static_cast<std::uint32_t>(file.mode);
  if (!status) return entry;
  // The index keeps the lower 32 bits of each.
  entry.ctime = {.seconds = static_cast<std::int32_t>(status->st_ctim.tv_sec),
                 .nanoseconds = static_cast<std::uint32_t>(status->st_ctim.tv_nsec)};
  entry.mtime = {.seconds = static_cast<std::int32_t>(status->st_mtim.tv_sec),
                 .nanoseconds = static_cast<std::uint32_t>(status->st_mtim.tv_nsec)};
  entry.dev = static_cast<std::uint32_t>(status->st_dev);
  entry.ino = static_cast<std::uint32_t>(status->st_ino);
  entry.uid = status->st_uid;
  entry.gid = status->st_gid;
  entry.file_size = static_cast<std::uint32_t>(status->st_size);
  return entry;
}

bool looks_unchanged(const git_index_entry& entry, const struct stat& status,
                     const struct timespec& written) {
  const bool older = std::pair(status.st_mtim.tv_sec, status.st_mtim.tv_nsec) <
                     std::pair(written.tv_sec, written.tv_nsec);
  return older && entry.file_size == static_cast<std::uint32_t>(status.st_size) &&
         entry.ino == static_cast<std::uint32_t>(status.st_ino) &&
         entry.mtime.seconds == static_cast<std::int32_t>(status.st_mtim.tv_sec) &&
         entry.mtime.nanoseconds == static_cast<std::uint32_t>(status.st_mtim.tv_nsec);
}

}  // namespace goondan::changeset
