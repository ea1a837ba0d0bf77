#include "store/folder_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "store/store_error.h"

namespace goondan::store {
namespace {

constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{20};

// What the owner wrote; empty if it is no number.
std::string owner_of(int lock) {
  std::array<char, 20> text{};
  const ssize_t got = ::pread(lock, text.data(), text.size(), 0);
  if (got <= 0) return {};
  std::string pid(text.data(), static_cast<std::size_t>(got));
  pid.resize(std::min(pid.size(), pid.find_first_not_of("0123456789")));
  return pid;
}

// For messages only: that it fails on a full disk does not matter.
void write_owner(int lock) {
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::pwrite(lock, text.data(), text.size(), 0) > 0)
    (void)!::ftruncate(lock, static_cast<off_t>(text.size()));
}

Error held(const std::filesystem::path& folder, const std::string& pid) {
  return {.code = ErrorCode::StoreBusy,
          .message = "the state in '" + folder.string() + "' is held by " +
                     (pid.empty() ? "another process" : "process " + pid),
          .suggestion = "wait until that process ends; `gdn ps` shows what runs"};
}

// Whether it is ours now. A signal is no reason to give up.
Result<bool> try_lock(int lock, const std::filesystem::path& file) {
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  return file_error("cannot lock", file, errno);
}

}  // namespace

Result<os::UniqueFd> lock_folder(const std::filesystem::path& folder, Deadline deadline) {
  const std::filesystem::path file = folder / "lock";
  os::UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return file_error("cannot open the lock", file, errno);
  std::chrono::milliseconds pause = kFirstPause;
  while (!GDN_TRY(try_lock(lock.get(), file))) {
    if (Clock::now() >= deadline) return held(folder, owner_of(lock.get()));
    std::this_thread::sleep_until(std::min(deadline, Clock::now() + pause));
    pause = std::min(pause * 2, kLongestPause);
  }
  write_owner(lock.get());
  return lock;
}

}  // namespace goondan::store
