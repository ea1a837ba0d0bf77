#include "oauth/store/file_calls.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace goondan::oauth {

int FileCalls::open_at(int folder, const char* name, int flags, mode_t mode) {
  return ::openat(folder, name, flags | O_CLOEXEC, mode);
}

int FileCalls::stat(int file, struct stat* about) {
  return ::fstat(file, about);
}

ssize_t FileCalls::read(int file, char* bytes, std::size_t size) {
  return ::read(file, bytes, size);
}

ssize_t FileCalls::write(int file, const char* bytes, std::size_t size) {
  return ::write(file, bytes, size);
}

int FileCalls::sync(int file) {
  return ::fsync(file);
}

int FileCalls::close(int file) {
  return ::close(file);
}

int FileCalls::rename_at(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) {
  return ::renameat2(from_folder, from, to_folder, to, flags);
}

int FileCalls::unlink_at(int folder, const char* name, int flags) {
  return ::unlinkat(folder, name, flags);
}

int FileCalls::make_folder_at(int folder, const char* name, mode_t mode) {
  return ::mkdirat(folder, name, mode);
}

}  // namespace goondan::oauth
