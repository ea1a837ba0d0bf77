#include "resource/file_read.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace goondan {
namespace {

class OpenFile {
 public:
  // Not blocking: opening a pipe would wait for its writer.
  explicit OpenFile(const char* path) : fd_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

Error unreadable(std::string message) {
  return {.code = ErrorCode::ConfigFileUnreadable,
          .message = std::move(message),
          .suggestion = "Check that it is a file and that you may read it."};
}

Error unreadable(int failure) {
  return unreadable("the file cannot be read: " + std::generic_category().message(failure));
}

Error too_large(std::size_t size, std::size_t limit) {
  return {.code = ErrorCode::ConfigFileTooLarge,
          .message = "the file has " + std::to_string(size) + " bytes; " + std::to_string(limit) +
                     " are allowed",
          .suggestion = "Split it into several files."};
}

}  // namespace

Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t limit) {
  const OpenFile file(path.c_str());
  if (file.fd() < 0) return unreadable(errno);
  struct stat status = {};
  if (::fstat(file.fd(), &status) != 0) return unreadable(errno);
  if (S_ISDIR(status.st_mode)) return unreadable("this is a folder, not a file");
  if (!S_ISREG(status.st_mode)) return unreadable("this is a device or a pipe, not a file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return too_large(size, limit);

  // One byte more than allowed, in case the file grows meanwhile.
  std::string text(limit < size + 1 ? limit + 1 : size + 1, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file.fd(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (filled > size) return unreadable("the file changed while it was read");
  text.resize(filled);
  return text;
}

}  // namespace goondan
