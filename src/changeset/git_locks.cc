#include "changeset/git_locks.h"

#include <cerrno>
#include <chrono>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestGitWait{10};
constexpr std::chrono::milliseconds kGitPause{10};

Result<void> take_git_lock(const fs::path& prepared, const fs::path& lock) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestGitWait;
  while (::link(prepared.c_str(), lock.c_str()) != 0) {
    if (errno != EEXIST) return os::os_error("cannot make '" + lock.string() + "'", errno);
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{.code = ErrorCode::StoreBusy,
                   .message = "another Git process holds '" + lock.string() + "'",
                   .suggestion = "Let it finish. If none runs, it was left behind: remove it."};
    }
    std::this_thread::sleep_for(kGitPause);
  }
  return {};
}

}  // namespace

Result<Replaced> replace_locked(const fs::path& prepared, const fs::path& file,
                                const std::function<Result<bool>()>& still_wanted) {
  const fs::path lock = file.string() + ".lock";
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  Result<void> taken = take_git_lock(prepared, lock);
  if (!taken.ok()) {
    fs::remove(prepared, failure);
    return taken.error();
  }
  const Result<bool> wanted = still_wanted();
  const bool replace = wanted.ok() && *wanted;
  const bool failed = replace && ::rename(lock.c_str(), file.c_str()) != 0;
  const Error error =
      failed ? os::os_error("cannot replace '" + file.string() + "'", errno) : Error{.message = {}};
  if (!replace || failed) fs::remove(lock, failure);
  fs::remove(prepared, failure);
  if (!wanted.ok()) return wanted.error();
  if (failed) return error;
  return replace ? Replaced::Yes : Replaced::No;
}

void remove_stale(const fs::path& prepared, const fs::path& folder) {
  struct stat ours {};
  std::error_code failure;
  if (::lstat(prepared.c_str(), &ours) != 0) return;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    struct stat other {};
    if (at->path().extension() == ".lock" && ::lstat(at->path().c_str(), &other) == 0 &&
        other.st_ino == ours.st_ino && other.st_dev == ours.st_dev) {
      std::error_code ignored;
      fs::remove(at->path(), ignored);
    }
  }
  fs::remove(prepared, failure);
}

}  // namespace goondan::changeset
