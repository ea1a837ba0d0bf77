// The right to change one record, held by one thread of one process at a time.
#pragma once

#include <memory>

namespace goondan::oauth {

// Moved, never copied; released at its end, or by the system when the process dies. It may outlive
// the store that gave it, and end in another thread than the one that got it.
class RecordLock {
 public:
  class Hold;
  explicit RecordLock(std::unique_ptr<Hold> hold);
  RecordLock(RecordLock&&) noexcept;
  RecordLock& operator=(RecordLock&&) noexcept;
  ~RecordLock();

 private:
  std::unique_ptr<Hold> hold_;
};

}  // namespace goondan::oauth
