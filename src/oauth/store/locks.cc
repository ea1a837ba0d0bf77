#include "oauth/store/locks.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <utility>

#include "store/store_error.h"

namespace goondan::oauth {
namespace {

constexpr std::chrono::milliseconds kFirstLockPause{1};
constexpr std::chrono::milliseconds kLongestLockPause{20};

Error not_locked(const std::filesystem::path& folder, const std::stop_token& stop) {
  if (stop.stop_requested())
    return {.code = ErrorCode::ToolCancelled,
            .message = "stopped while waiting for a lock of '" + folder.string() + "'"};
  return {.code = ErrorCode::StoreBusy,
          .message = "a lock of '" + folder.string() + "' is held by another thread or process",
          .suggestion = "try again; `gdn ps` shows what runs"};
}

// Whether it is ours now; an error number instead of "no" that will not change.
enum class Try { Held, Ours, Failed };

Try try_byte(int file, std::uint64_t number) {
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(number);
  range.l_len = 1;
  if (::fcntl(file, F_OFD_SETLK, &range) == 0) return Try::Ours;
  const bool held = errno == EAGAIN || errno == EACCES || errno == EINTR;
  return held ? Try::Held : Try::Failed;
}

}  // namespace

bool LockTable::take(std::uint64_t number, Deadline deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto free = [&] { return !taken_.contains(number); };
  if (!changed_.wait_until(lock, stop, deadline, free)) return false;
  taken_.insert(number);
  return true;
}

void LockTable::give_back(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    taken_.erase(number);
  }
  changed_.notify_all();
}

void LockTable::pause(Deadline until, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, until, [] { return false; });
}

RecordLock::Hold::Hold(std::shared_ptr<LockTable> table, std::uint64_t number)
    : table_(std::move(table)), number_(number) {}

RecordLock::Hold::~Hold() {
  file_.reset();
  table_->give_back(number_);
}

Result<void> RecordLock::Hold::lock_file(const PrivateFolder& folder, Deadline deadline,
                                         const std::stop_token& stop) {
  // A description of its own, which the lock belongs to: two stores of one process exclude each
  // other as two processes do.
  file_.reset(::openat(folder.fd(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_) return store::file_error("cannot open", folder.path() / "lock", errno);
  std::chrono::milliseconds pause = kFirstLockPause;
  for (;;) {
    const Try tried = try_byte(file_.get(), number_);
    if (tried == Try::Ours) return {};
    if (tried == Try::Failed)
      return store::file_error("cannot lock", folder.path() / "lock", errno);
    if (stop.stop_requested() || Clock::now() >= deadline) return not_locked(folder.path(), stop);
    table_->pause(std::min(deadline, Clock::now() + pause), stop);
    pause = std::min(pause * 2, kLongestLockPause);
  }
}

RecordLock::RecordLock(std::unique_ptr<Hold> hold) : hold_(std::move(hold)) {}
RecordLock::RecordLock(RecordLock&&) noexcept = default;
RecordLock& RecordLock::operator=(RecordLock&&) noexcept = default;
RecordLock::~RecordLock() = default;

Result<RecordLock> hold_lock(const std::shared_ptr<LockTable>& table, const PrivateFolder& folder,
                             std::uint64_t number, Deadline deadline, const std::stop_token& stop) {
  if (!table->take(number, deadline, stop)) return not_locked(folder.path(), stop);
  auto hold = std::make_unique<RecordLock::Hold>(table, number);
  GDN_TRY(hold->lock_file(folder, deadline, stop));
  return RecordLock(std::move(hold));
}

}  // namespace goondan::oauth
