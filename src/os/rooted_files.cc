#include "os/rooted_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/path_error.h"

namespace goondan::os {
namespace {

constexpr std::string_view kVerb = "read";

// Where the size is not known beforehand (0 in `/proc`), memory grows by this much. Some of those
// files give all they have to the first read and nothing to later ones.
constexpr std::size_t kChunk = std::size_t{64} << 10;

struct OpenFile {
  UniqueFd fd;
  std::uint64_t size = 0;
};

Result<OpenFile> open_with(const RootedPath& path, int flags) {
  UniqueFd file = path.root->open_beneath(path.relative, flags);
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return path_error(kVerb, path, errno);
  if (!S_ISREG(status.st_mode)) return not_regular_error(kVerb, path, status.st_mode);
  return OpenFile{.fd = std::move(file), .size = static_cast<std::uint64_t>(status.st_size)};
}

Result<OpenFile> open_regular(const RootedPath& path) {
  // Opening a FIFO wakes its writer and opening a device may start it; so first only look.
  GDN_TRY(open_with(path, O_PATH));
  return open_with(path, O_RDONLY);
}

// Adds at most `count` bytes from the end of `bytes` on. How many, or -1 with `errno` set.
ssize_t read_more(int fd, std::string& bytes, std::size_t count) {
  const std::size_t have = bytes.size();
  ssize_t got = 0;
  bytes.resize_and_overwrite(have + count, [&](char* data, std::size_t) {
    do {
      got = ::pread(fd, data + have, count, static_cast<off_t>(have));
    } while (got < 0 && errno == EINTR);
    return have + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  });
  return got;
}

}  // namespace

Result<FileContent> read_file(const RootedPath& path, std::size_t max_bytes) {
  const OpenFile file = GDN_TRY(open_regular(path));
  FileContent content{.bytes = {}, .size = file.size, .truncated = false};
  // One byte more than wanted tells whether there is more, whatever the size says.
  max_bytes = std::min(max_bytes, kMaxReadBytes);
  const std::size_t limit = max_bytes + 1;
  const std::uint64_t expected = file.size == 0 ? kChunk : file.size + 1;
  while (content.bytes.size() < limit) {
    const std::size_t have = content.bytes.size();
    const std::uint64_t step = have < expected ? expected - have : kChunk;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(step, limit - have));
    const ssize_t got = read_more(file.fd.get(), content.bytes, count);
    if (got < 0) return path_error(kVerb, path, errno);
    if (got == 0) break;
  }
  content.size = std::max<std::uint64_t>(content.size, content.bytes.size());
  content.truncated = content.bytes.size() > max_bytes;
  if (content.truncated) content.bytes.resize(max_bytes);
  return content;
}

Result<void> check_readable_file(const RootedPath& path) {
  GDN_TRY(open_regular(path));
  return {};
}

}  // namespace goondan::os
