#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/folder_chain.h"
#include "os/path_error.h"
#include "os/path_text.h"
#include "os/rooted_files.h"

namespace goondan::os {
namespace {

constexpr std::string_view kVerb = "make the folder";
constexpr mode_t kFolderMode = 0777;  // less the umask

}  // namespace

Result<UniqueFd> open_folder(const RootedPath& path) {
  UniqueFd folder = path.root->open_beneath(path.relative, O_RDONLY | O_DIRECTORY);
  if (!folder) return path_error("open the folder", path, errno);
  return folder;
}

Result<void> make_folder(const RootedPath& path, Parents parents) {
  if (parents == Parents::Make) {
    GDN_TRY(open_folder_to_write(kVerb, path, path.relative, Parents::Make));
    return {};
  }
  if (path.relative == ".") return path_error(kVerb, path, EEXIST);
  const SplitPath parts = split_path(path.relative);
  const UniqueFd above =
      GDN_TRY(open_folder_to_write(kVerb, path, parts.folder, Parents::MustExist));
  if (::mkdirat(above.get(), parts.name.c_str(), kFolderMode) != 0)
    return path_error(kVerb, path, errno);
  return {};
}

}  // namespace goondan::os
