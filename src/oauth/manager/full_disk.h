// A disk that takes nothing more while a test says so.
#pragma once

#include <atomic>
#include <cerrno>

#include "oauth/store/file_calls.h"

namespace goondan::oauth {

class FullDisk : public FileCalls {
 public:
  ssize_t write(int file, const char* bytes, std::size_t size) override {
    if (!full) return FileCalls::write(file, bytes, size);
    errno = ENOSPC;
    return -1;
  }

  std::atomic<bool> full = false;
};

}  // namespace goondan::oauth
