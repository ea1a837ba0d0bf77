#include "oauth/store/private_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "oauth/store/folder_access.h"
#include "oauth/store/open_file.h"
#include "store/store_error.h"

namespace goondan::oauth {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// Makes `path` and what is missing above it. A folder that somebody else makes meanwhile is as
// good.
Result<void> make_durable_folders(FileCalls& calls, const std::filesystem::path& path) {
  const OpenFile there(calls, AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY);
  if (there) return {};
  if (errno != ENOENT || !path.has_relative_path())
    return store::file_error("cannot open the folder", path, errno);
  const std::filesystem::path above = path.parent_path().empty() ? "." : path.parent_path();
  GDN_TRY(make_durable_folders(calls, above));
  if (calls.make_folder_at(AT_FDCWD, path.c_str(), 0700) != 0 && errno != EEXIST)
    return store::file_error("cannot make the folder", path, errno);
  const OpenFile parent(calls, AT_FDCWD, above.c_str(), O_RDONLY | O_DIRECTORY);
  if (!parent || again_if_interrupted([&] { return calls.sync(parent.get()); }) != 0)
    return store::file_error("cannot make durable the folder", path, errno);
  return {};
}

}  // namespace

PrivateFolder::PrivateFolder(std::shared_ptr<FileCalls> calls, std::filesystem::path path, int fd)
    : calls_(std::move(calls)), path_(std::move(path)), fd_(fd) {}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : calls_(std::move(other.calls_)),
      path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)) {}

PrivateFolder& PrivateFolder::operator=(PrivateFolder&& other) noexcept {
  std::swap(calls_, other.calls_);
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

PrivateFolder::~PrivateFolder() {
  if (fd_ >= 0) calls_->close(fd_);
}

Result<PrivateFolder> PrivateFolder::make(std::shared_ptr<FileCalls> calls,
                                          const std::filesystem::path& path) {
  GDN_TRY(make_durable_folders(*calls, path));
  OpenFile folder(*calls, AT_FDCWD, path.c_str(), kOpenFolder);
  if (!folder) return store::file_error("cannot open the folder", path, errno);
  struct stat about = {};
  if (calls->stat(folder.get(), &about) != 0)
    return store::file_error("cannot look at the folder", path, errno);
  GDN_TRY(check_private(path, about));
  return PrivateFolder(std::move(calls), path, folder.release());
}

Result<PrivateFolder> PrivateFolder::foreign(std::shared_ptr<FileCalls> calls,
                                             const std::filesystem::path& path) {
  OpenFile folder(*calls, AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY);
  if (!folder) return store::file_error("cannot open the folder", path, errno);
  return PrivateFolder(std::move(calls), path, folder.release());
}

Result<PrivateFolder> PrivateFolder::make_inner(const std::string& name) const {
  const std::filesystem::path path = path_ / name;
  if (calls_->make_folder_at(fd_, name.c_str(), 0700) == 0) {
    GDN_TRY(sync());
  } else if (errno != EEXIST) {
    return store::file_error("cannot make the folder", path, errno);
  }
  std::optional<PrivateFolder> made = GDN_TRY(inner(name));
  if (!made) return store::file_error("cannot open the folder", path, ENOENT);
  return std::move(*made);
}

Result<std::optional<PrivateFolder>> PrivateFolder::inner(const std::string& name) const {
  const std::filesystem::path path = path_ / name;
  OpenFile folder(*calls_, fd_, name.c_str(), kOpenFolder);
  if (!folder && errno == ENOENT) return std::optional<PrivateFolder>();
  if (!folder) return store::file_error("cannot open the folder", path, errno);
  return std::optional<PrivateFolder>(PrivateFolder(calls_, path, folder.release()));
}

}  // namespace goondan::oauth
