#include <cerrno>
#include <cstdio>
#include <fcntl.h>

#include "changeset/folder.h"
#include "os/os_error.h"

namespace goondan::changeset {

Result<Folder::Moved> Folder::move(const std::string& path, const Folder& to,
                                   const std::string& to_path, Move how) const {
  const os::UniqueFd from_parent = GDN_TRY(make_parent(path));
  const os::UniqueFd to_parent = GDN_TRY(to.make_parent(to_path));
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::string to_name = to_path.substr(to_path.rfind('/') + 1);
  const unsigned flags = how == Move::Exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(from_parent.get(), name.c_str(), to_parent.get(), to_name.c_str(), flags) == 0)
    return Moved::Yes;
  switch (errno) {
    case EEXIST:
    case ENOENT:
      return Moved::No;
    case EXDEV:
    case EINVAL:
    case ENOSYS:
      return Moved::NotPossible;
    default:
      return os::os_error("cannot replace '" + to_path + "'", errno);
  }
}

}  // namespace goondan::changeset
