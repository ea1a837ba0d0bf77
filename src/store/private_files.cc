#include "store/private_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/unique_fd.h"
#include "store/store_error.h"

namespace goondan::store {

Result<void> make_private_folders(const std::filesystem::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return {};
  if (errno == ENOENT && folder.has_relative_path()) {
    GDN_TRY(make_private_folders(folder.parent_path()));
    if (::mkdir(folder.c_str(), 0700) == 0) return {};
  }
  const int number = errno;
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return {};
  return file_error("cannot make the folder", folder, number);
}

Result<void> make_private_file(const std::filesystem::path& file) {
  const os::UniqueFd made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (made || errno == EEXIST) return {};
  return file_error("cannot make the file", file, errno);
}

}  // namespace goondan::store
