#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "os/file_bytes.h"
#include "os/path_error.h"
#include "os/path_text.h"
#include "os/rooted_files.h"
#include "os/temporary_file.h"
#include "os/write_slot.h"

namespace goondan::os {
namespace {

using Status = struct stat;

constexpr std::string_view kVerb = "write";
constexpr mode_t kNewFileMode = 0666;      // less the umask
constexpr mode_t kPrivateFileMode = 0600;  // until it has the mode of the file it replaces
constexpr mode_t kKeptMode = 0777;         // no setuid, no setgid

// What is there now; nothing if there is nothing. Only a regular file that may be written to can
// be replaced or added to.
Result<std::optional<Status>> look_at_old(const RootedPath& path, const WriteSlot& slot) {
  Status status{};
  const int folder = slot.folder.get();
  if (::fstatat(folder, slot.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::optional<Status>();
    return path_error(kVerb, path, errno);
  }
  if (!S_ISREG(status.st_mode)) return not_regular_error(kVerb, path, status.st_mode);
  constexpr int kFlags = AT_EACCESS | AT_SYMLINK_NOFOLLOW;
  if (::faccessat(folder, slot.name.c_str(), W_OK, kFlags) != 0 && errno != EINVAL)
    return path_error(kVerb, path, errno);
  return std::optional(status);
}

bool take_over(int fd, const Status& old) {
  Status own{};
  if (::fstat(fd, &own) != 0) return false;
  const bool other_owner = own.st_uid != old.st_uid || own.st_gid != old.st_gid;
  // Only a privileged process can give files away; for others the file becomes theirs.
  if (other_owner && ::fchown(fd, old.st_uid, old.st_gid) != 0) errno = 0;
  return ::fchmod(fd, old.st_mode & kKeptMode) == 0;
}

Result<std::uint64_t> replace_file(const RootedPath& path, const WriteSlot& slot,
                                   const std::optional<Status>& old, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  TemporaryFile file(slot.folder.get(), old ? kPrivateFileMode : kNewFileMode);
  const bool done = file.ok() && write_all(file.fd(), bytes) &&
                    (!old || take_over(file.fd(), *old)) && sync_to_disk(file.fd()) &&
                    file.replace(slot.name) && sync_to_disk(slot.folder.get());
  if (!done) return path_error(kVerb, path, errno);
  return size;
}

// Takes back what a failed append has written, unless somebody else has added to the file since.
void undo_append(int fd, off_t before, std::size_t written) {
  Status now{};
  const off_t expected = before + static_cast<off_t>(written);
  if (::fstat(fd, &now) != 0 || now.st_size != expected) return;
  if (::ftruncate(fd, before) != 0) return;  // the error that led here is the one to tell
}

// One of the names may be outside, and nobody could tell.
Error several_names_error(const RootedPath& path) {
  return {.code = ErrorCode::Io,
          .message = "cannot append to " + quoted_path(path.given) +
                     ": it has more than one name (hard links)",
          .suggestion = "Write the whole file instead of appending."};
}

Result<std::uint64_t> append_to_file(const RootedPath& path, const WriteSlot& slot,
                                     const std::optional<Status>& old, std::string_view bytes) {
  constexpr int kFlags =
      O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const UniqueFd file(::openat(slot.folder.get(), slot.name.c_str(), kFlags, kNewFileMode));
  Status status{};
  if (!file || ::fstat(file.get(), &status) != 0) return path_error(kVerb, path, errno);
  if (!S_ISREG(status.st_mode)) return not_regular_error(kVerb, path, status.st_mode);
  if (status.st_nlink > 1) return several_names_error(path);
  std::string_view rest = bytes;
  if (!write_all(file.get(), rest) || !sync_to_disk(file.get())) {
    const int number = errno;
    undo_append(file.get(), status.st_size, bytes.size() - rest.size());
    if (!old) ::unlinkat(slot.folder.get(), slot.name.c_str(), 0);
    return path_error(kVerb, path, number);
  }
  if (!old && !sync_to_disk(slot.folder.get())) return path_error(kVerb, path, errno);
  if (::fstat(file.get(), &status) != 0) return path_error(kVerb, path, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

Result<std::uint64_t> write_file(const RootedPath& path, std::string_view bytes, WriteMode mode) {
  const WriteSlot slot = GDN_TRY(open_slot(kVerb, path, Parents::Make));
  const std::optional<Status> old = GDN_TRY(look_at_old(path, slot));
  return mode == WriteMode::Replace ? replace_file(path, slot, old, bytes)
                                    : append_to_file(path, slot, old, bytes);
}

}  // namespace goondan::os
