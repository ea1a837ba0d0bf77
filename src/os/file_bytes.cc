#include "os/file_bytes.h"

#include <cerrno>
#include <unistd.h>

namespace goondan::os {

bool write_all(int fd, std::string_view& bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool sync_to_disk(int fd) {
  // Some file systems cannot sync, and a folder opened only to be written in cannot be synced.
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

}  // namespace goondan::os
