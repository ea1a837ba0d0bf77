// Locks between threads and processes: one byte of the file `lock` each, far more than there are
// names. The system lets go of them when a process dies, and no file is left of a lock.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "oauth/store/private_folder.h"
#include "oauth/store/record_lock.h"
#include "os/unique_fd.h"

namespace goondan::oauth {

// Of whoever changes any file of the store.
inline constexpr std::uint64_t kWriterLock = 0;

// Which threads of this process hold or want a lock. Thread-safe.
class LockTable {
 public:
  // Waits until no thread has `number`, then it is taken. False at the deadline or on a stop.
  bool take(std::uint64_t number, Deadline deadline, const std::stop_token& stop);
  void give_back(std::uint64_t number);
  // Returns at `until` or on a stop.
  void pause(Deadline until, const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::uint64_t> taken_;
};

class RecordLock::Hold {
 public:
  Hold(std::shared_ptr<LockTable> table, std::uint64_t number);
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold();

  // Waits for other processes, by trying again every few milliseconds: the system's own way to wait
  // knows no deadline and no stop.
  Result<void> lock_file(const PrivateFolder& folder, Deadline deadline,
                         const std::stop_token& stop);

 private:
  std::shared_ptr<LockTable> table_;
  std::uint64_t number_;
  os::UniqueFd file_;
};

// `E_STORE_BUSY` at the deadline, `E_TOOL_CANCELLED` on a stop.
Result<RecordLock> hold_lock(const std::shared_ptr<LockTable>& table, const PrivateFolder& folder,
                             std::uint64_t number, Deadline deadline, const std::stop_token& stop);

}  // namespace goondan::oauth
