#include "changeset/folder.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

#include <climits>

#include "base/ids.h"
#include "os/file_bytes.h"
#include "os/os_error.h"
#include "os/temporary_file.h"

namespace goondan::changeset {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// What there is between this slash and the next; `at` goes to the one after.
std::string next_part(const std::string& path, std::size_t& at) {
  const std::size_t slash = std::min(path.find('/', at), path.size());
  std::string part = path.substr(at, slash - at);
  at = slash + 1;
  return part;
}

Error folder_error(std::string_view verb, const std::string& path) {
  return os::os_error("cannot " + std::string(verb) + " '" + path + "'", errno);
}

Result<void> write_link(int folder, const std::string& path, const std::string& target) {
  const std::string temporary = ".gdn-" + random_hex(8) + ".tmp";
  if (::symlinkat(target.c_str(), folder, temporary.c_str()) != 0)
    return folder_error("make the link", path);
  if (::renameat(folder, temporary.c_str(), folder, name_of(path).c_str()) == 0) return {};
  const Error error = folder_error("make the link", path);
  ::unlinkat(folder, temporary.c_str(), 0);
  return error;
}

Result<std::string> read_some(int fd, const std::string& path, std::size_t expected,
                              std::size_t most) {
  std::string bytes(std::min(expected, most) + 1, '\0');
  std::size_t have = 0;
  while (true) {
    const ssize_t got = ::read(fd, bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return folder_error("read", path);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
    if (have > most) break;
    if (have == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

git_filemode_t mode_of(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return GIT_FILEMODE_LINK;
  return (status.st_mode & S_IXUSR) != 0 ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
}

Result<Folder> Folder::open(const std::filesystem::path& path) {
  os::UniqueFd fd(::open(path.c_str(), kFolderFlags));
  if (!fd) return folder_error("open the folder", path.string());
  return Folder(std::move(fd));
}

os::UniqueFd Folder::enter(const std::string& path) const {
  os::UniqueFd here(::openat(fd_.get(), ".", kFolderFlags));
  for (std::size_t at = 0; at < path.size() && here;)
    here.reset(::openat(here.get(), next_part(path, at).c_str(), kFolderFlags));
  return here;
}

Result<os::UniqueFd> Folder::make_parent(const std::string& path) const {
  const std::string folder = folder_of(path);
  os::UniqueFd here(::openat(fd_.get(), ".", kFolderFlags));
  for (std::size_t at = 0; at < folder.size() && here;) {
    const std::string part = next_part(folder, at);
    if (::mkdirat(here.get(), part.c_str(), 0777) != 0 && errno != EEXIST)
      return folder_error("make the folder of", path);
    here.reset(::openat(here.get(), part.c_str(), kFolderFlags));
  }
  if (!here) return folder_error("open the folder of", path);
  return here;
}

Result<std::optional<struct stat>> Folder::look(const std::string& path) const {
  struct stat status {};
  const os::UniqueFd folder = enter(folder_of(path));
  const bool found =
      folder && ::fstatat(folder.get(), name_of(path).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (found) return std::optional(status);
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return std::optional<struct stat>();
  return folder_error("look at", path);
}

Result<std::string> Folder::read(const std::string& path, std::size_t most) const {
  const std::optional<struct stat> status = GDN_TRY(look(path));
  const os::UniqueFd folder = enter(folder_of(path));
  const std::string name = name_of(path);
  if (status && folder && S_ISLNK(status->st_mode)) {
    std::string target(PATH_MAX, '\0');
    const ssize_t length = ::readlinkat(folder.get(), name.c_str(), target.data(), target.size());
    if (length < 0) return folder_error("read the link", path);
    target.resize(static_cast<std::size_t>(length));
    return target;
  }
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const os::UniqueFd file(folder ? ::openat(folder.get(), name.c_str(), kFlags) : -1);
  if (!file) return folder_error("read", path);
  const auto size = status ? static_cast<std::size_t>(status->st_size) : 0;
  return read_some(file.get(), path, size, most);
}

Result<std::vector<std::string>> Folder::names(const std::string& path) const {
  os::UniqueFd fd = enter(path);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fd ? ::fdopendir(fd.get()) : nullptr,
                                                   ::closedir);
  if (!stream) return folder_error("list the folder", path);
  fd.release();  // the stream's now
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  if (errno != 0) return folder_error("list the folder", path);
  std::ranges::sort(names);
  return names;
}

Result<void> Folder::write(const std::string& path, std::string_view bytes,
                           git_filemode_t mode) const {
  const os::UniqueFd folder = GDN_TRY(make_parent(path));
  if (mode == GIT_FILEMODE_LINK) return write_link(folder.get(), path, std::string(bytes));
  os::TemporaryFile file(folder.get(), mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666);
  if (!file.ok() || !os::write_all(file.fd(), bytes) || !file.replace(name_of(path)))
    return folder_error("write", path);
  return {};
}

Result<void> Folder::remove(const std::string& path) const {
  const os::UniqueFd here = enter(folder_of(path));
  const bool removed = here && ::unlinkat(here.get(), name_of(path).c_str(), 0) == 0;
  if (here && !removed && errno != ENOENT && errno != EISDIR) return folder_error("remove", path);
  remove_empty_above(path);
  return {};
}

void Folder::remove_empty_above(const std::string& path) const {
  for (std::string folder = folder_of(path); !folder.empty(); folder = folder_of(folder)) {
    const os::UniqueFd above = enter(folder_of(folder));
    if (above && ::unlinkat(above.get(), name_of(folder).c_str(), AT_REMOVEDIR) != 0 &&
        errno != ENOENT && errno != ENOTDIR) {
      break;  // not empty
    }
  }
}

Result<void> Folder::remove_empty(const std::string& path) const {
  for (const std::string& name : GDN_TRY(names(path))) {
    const std::string inner = path + "/" + name;
    const std::optional<struct stat> status = GDN_TRY(look(inner));
    if (status && S_ISDIR(status->st_mode)) GDN_TRY(remove_empty(inner));
  }
  const os::UniqueFd above = enter(folder_of(path));
  if (!above || ::unlinkat(above.get(), name_of(path).c_str(), AT_REMOVEDIR) != 0)
    return folder_error("remove the folder", path);
  return {};
}

}  // namespace goondan::changeset
