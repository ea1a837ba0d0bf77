#include "os/root.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <memory>

#include "os/os_error.h"

namespace goondan::os {
namespace {

// `path` as the kernel sees it, without links.
std::optional<std::string> real_path(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): realpath allocates with malloc
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

Error cannot_open(const std::string& path) {
  Error error = os_error("cannot open the folder '" + path + "'", errno);
  if (errno == ENOENT) error.code = ErrorCode::NotFound;
  return error;
}

}  // namespace

Result<Root> Root::open(const std::string& path, Access access, Resolution resolution) {
  std::optional<std::string> real = real_path(path);
  if (!real) return cannot_open(path);
  Root root(std::move(*real), access, resolution);
  root.folder_.reset(::open(root.path_.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!root.folder_ || ::fstat(root.folder_.get(), &status) != 0) return cannot_open(path);
  root.id_ = {.device = status.st_dev, .inode = status.st_ino};
  return root;
}

UniqueFd Root::open_beneath(const std::string& relative, int flags, mode_t mode) const {
  return os::open_beneath(folder_.get(), relative, flags, mode, resolution_);
}

}  // namespace goondan::os
