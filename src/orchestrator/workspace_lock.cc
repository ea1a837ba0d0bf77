#include "orchestrator/workspace_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>

#include "os/os_error.h"

namespace goondan::orchestrator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLockName = "orchestrator.lock";
constexpr std::size_t kMaxPidText = 20;

Result<void> make_private_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  const bool made = !failed && ::chmod(folder.c_str(), S_IRWXU) == 0;
  if (made) return {};
  Error error = os::os_error("cannot keep state in '" + folder.string() + "'",
                             failed ? failed.value() : errno);
  error.suggestion = "Choose a folder that you may write into: --state-root or GOONDAN_STATE_ROOT.";
  return error;
}

Error already_running(int file, const fs::path& folder) {
  std::string pid(kMaxPidText, '\0');
  const ssize_t got = ::pread(file, pid.data(), pid.size(), 0);
  pid.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  pid = pid.substr(0, pid.find_first_not_of("0123456789"));
  return {.code = ErrorCode::AlreadyRunning,
          .message = "an orchestrator" + (pid.empty() ? "" : " (process " + pid + ")") +
                     " runs already in '" + folder.string() + "'",
          .suggestion = "Look at it with `gdn ps`; end it, or choose another --state-root."};
}

void write_pid(int file) {
  const std::string pid = std::to_string(::getpid()) + "\n";
  // For people only: the lock is the lock, whatever the file says.
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, pid.data(), pid.size(), 0) < 0) return;
}

bool same_file(int fd, const fs::path& path) {
  struct stat one {};
  struct stat other {};
  return ::fstat(fd, &one) == 0 && ::stat(path.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

Result<WorkspaceLock> WorkspaceLock::take(const fs::path& workspace_folder) {
  GDN_TRY(make_private_folder(workspace_folder));
  const fs::path path = workspace_folder / kLockName;
  while (true) {
    os::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return os::os_error("cannot open '" + path.string() + "'", errno);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return already_running(file.get(), workspace_folder);
      return os::os_error("cannot lock '" + path.string() + "'", errno);
    }
    if (!same_file(file.get(), path)) continue;  // somebody has removed it in between
    write_pid(file.get());
    return WorkspaceLock(std::move(file));
  }
}

Result<WorkspaceLock> WorkspaceLock::adopt(os::UniqueFd fd, const fs::path& workspace_folder) {
  if (!fd || !same_file(fd.get(), workspace_folder / kLockName)) return take(workspace_folder);
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return already_running(fd.get(), workspace_folder);
  }
  return WorkspaceLock(std::move(fd));
}

fs::path locked_folder(int lock) {
  std::error_code failed;
  return fs::read_symlink("/proc/self/fd/" + std::to_string(lock), failed).parent_path();
}

}  // namespace goondan::orchestrator
