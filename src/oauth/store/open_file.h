// A file opened through `FileCalls`, closed at its end; calls that a signal ended are made again.
#pragma once

#include <cerrno>

#include "oauth/store/file_calls.h"

namespace goondan::oauth {

template <class Call>
auto again_if_interrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR)
    result = call();
  return result;
}

// A resource; borrows the calls.
class OpenFile {
 public:
  OpenFile(FileCalls& calls, int folder, const char* name, int flags, mode_t mode = 0)
      : calls_(calls),
        fd_(again_if_interrupted([&] { return calls.open_at(folder, name, flags, mode); })) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    const int number = errno;
    if (fd_ >= 0) calls_.close(fd_);
    errno = number;  // of what failed before; the destructor is no part of it
  }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  FileCalls& calls_;
  int fd_;
};

}  // namespace goondan::oauth
