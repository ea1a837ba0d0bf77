#include "changeset/locks.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <thread>

#include "os/os_error.h"

namespace goondan::changeset {
namespace {

constexpr std::chrono::seconds kLongestWait{60};
constexpr std::chrono::milliseconds kPause{5};

// `flock` by itself either waits for ever or not at all.
Result<os::UniqueFd> locked(os::UniqueFd lock, const std::filesystem::path& path) {
  if (!lock) return os::os_error("cannot open '" + path.string() + "' to lock it", errno);
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return os::os_error("cannot lock '" + path.string() + "'", errno);
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{.code = ErrorCode::StoreBusy,
                   .message = "another process keeps '" + path.string() + "' locked",
                   .suggestion = "Wait until it has finished with its changeset."};
    }
    std::this_thread::sleep_for(kPause);
  }
  return lock;
}

}  // namespace

Result<os::UniqueFd> lock_file_in(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return os::os_error("cannot make '" + folder.string() + "'", failure.value());
  const std::filesystem::path file = folder / "lock";
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
  return locked(os::UniqueFd(::open(file.c_str(), kFlags, 0600)), file);
}

Result<os::UniqueFd> lock_folder_itself(const std::filesystem::path& folder) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  return locked(os::UniqueFd(::open(folder.c_str(), kFlags)), folder);
}

}  // namespace goondan::changeset
