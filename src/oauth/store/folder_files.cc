// Files in a private folder.
#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

#include "oauth/store/open_file.h"
#include "oauth/store/private_folder.h"
#include "store/store_error.h"

namespace goondan::oauth {
namespace {

// The first `limit` bytes of what is open as `file`; none with `errno` set if they cannot be read.
std::optional<std::string> read_up_to(FileCalls& calls, int file, std::size_t limit) {
  std::string bytes(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t got =
        again_if_interrupted([&] { return calls.read(file, bytes.data() + size, limit - size); });
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

Result<std::optional<PrivateFolder::Content>> PrivateFolder::read(const std::string& name,
                                                                  std::size_t limit) const {
  const OpenFile file(*calls_, fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file && errno == ENOENT) return std::optional<Content>();
  // What a link, a socket or a device without a driver answers: there is something, but no file.
  if (!file && (errno == ELOOP || errno == ENXIO || errno == ENODEV)) return Content{};
  if (!file) return store::file_error("cannot open", path_ / name, errno);
  Content content;
  if (calls_->stat(file.get(), &content.about) != 0)
    return store::file_error("cannot look at", path_ / name, errno);
  if (!S_ISREG(content.about.st_mode)) return content;
  // Not more than there is: most files are far smaller than what they may be.
  const auto size = static_cast<std::size_t>(content.about.st_size);
  std::optional<std::string> bytes = read_up_to(*calls_, file.get(), std::min(limit, size));
  if (!bytes) return store::file_error("cannot read", path_ / name, errno);
  content.bytes = std::move(*bytes);
  return content;
}

bool PrivateFolder::has(const std::string& name) const {
  return ::faccessat(fd_, name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<std::vector<std::string>> PrivateFolder::names() const {
  OpenFile again(*calls_, fd_, ".", O_RDONLY | O_DIRECTORY);
  if (!again) return store::file_error("cannot list", path_, errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again.get()), ::closedir);
  if (!stream) return store::file_error("cannot list", path_, errno);
  again.release();
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<void> PrivateFolder::write_whole(int file, const std::string& name,
                                        std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put =
        again_if_interrupted([&] { return calls_->write(file, bytes.data(), bytes.size()); });
    if (put < 0) return store::file_error("cannot write", path_ / name, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (again_if_interrupted([&] { return calls_->sync(file); }) != 0)
    return store::file_error("cannot make durable", path_ / name, errno);
  return {};
}

Result<void> PrivateFolder::create(const std::string& name, std::string_view bytes) const {
  const OpenFile file(*calls_, fd_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!file) return store::file_error("cannot make", path_ / name, errno);
  const Result<void> written = write_whole(file.get(), name, bytes);
  if (!written.ok()) calls_->unlink_at(fd_, name.c_str(), 0);
  return written;
}

Result<void> PrivateFolder::remove(const std::string& name) const {
  if (calls_->unlink_at(fd_, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  return store::file_error("cannot remove", path_ / name, errno);
}

Result<void> PrivateFolder::remove_inner(const std::string& name) const {
  const std::optional<PrivateFolder> folder = GDN_TRY(inner(name));
  if (!folder) return {};
  GDN_TRY(folder->remove_all(""));
  if (calls_->unlink_at(fd_, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
  return store::file_error("cannot remove", path_ / name, errno);
}

Result<void> PrivateFolder::move(const std::string& from, const PrivateFolder& folder,
                                 const std::string& to) const {
  if (calls_->rename_at(fd_, from.c_str(), folder.fd(), to.c_str(), 0) == 0) return {};
  return store::file_error("cannot move", path_ / from, errno);
}

Result<void> PrivateFolder::sync() const {
  if (again_if_interrupted([&] { return calls_->sync(fd_); }) == 0) return {};
  return store::file_error("cannot make durable", path_, errno);
}

Result<void> PrivateFolder::remove_all(std::string_view prefix) const {
  const std::vector<std::string> all = GDN_TRY(names());
  for (const std::string& name : all)
    if (name.starts_with(prefix)) GDN_TRY(remove(name));
  return {};
}

}  // namespace goondan::oauth
