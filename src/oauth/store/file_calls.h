// The system calls that the store makes, so that a test can fail, cut or record each of them.
#pragma once

#include <cstddef>
#include <sys/stat.h>
#include <sys/types.h>

namespace goondan::oauth {

// As the calls of the system that they are named after: -1 with `errno` set on failure. This class
// makes them; a test overrides it. Thread-safe.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  virtual int open_at(int folder, const char* name, int flags, mode_t mode);
  virtual int stat(int file, struct stat* about);
  virtual ssize_t read(int file, char* bytes, std::size_t size);
  virtual ssize_t write(int file, const char* bytes, std::size_t size);
  virtual int sync(int file);
  virtual int close(int file);
  virtual int rename_at(int from_folder, const char* from, int to_folder, const char* to,
                        unsigned flags);
  virtual int unlink_at(int folder, const char* name, int flags);
  virtual int make_folder_at(int folder, const char* name, mode_t mode);
};

}  // namespace goondan::oauth
