#include "os/write_slot.h"

#include <cerrno>
#include <unistd.h>

#include <climits>

#include "os/folder_chain.h"
#include "os/path_error.h"
#include "os/path_text.h"

namespace goondan::os {
namespace {

// The target of the link `name`; nothing if it is no link, or is not there.
std::optional<std::string> link_target(int folder, const std::string& name) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(folder, name.c_str(), target.data(), target.size());
  if (length < 0) return std::nullopt;
  target.resize(static_cast<std::size_t>(length));
  return target;
}

bool names_a_folder(const std::string& name) {
  return name.empty() || name == "." || name == "..";
}

}  // namespace

Result<WriteSlot> open_slot(std::string_view verb, const RootedPath& path, Parents parents) {
  std::string relative = path.relative;
  for (int links = 0; links <= kMaxLinks; ++links) {
    const SplitPath parts = split_path(relative);
    if (names_a_folder(parts.name)) return path_error(verb, path, EISDIR);
    UniqueFd folder = GDN_TRY(open_folder_to_write(verb, path, parts.folder, parents));
    const std::optional<std::string> target = link_target(folder.get(), parts.name);
    if (!target) return WriteSlot{.folder = std::move(folder), .name = parts.name};
    if (target->starts_with('/')) return path_error(verb, path, EXDEV);
    // `..` in the target counts from where the link really lies, so it stays for the kernel.
    relative = parts.folder + "/" + *target;
    if (relative.size() >= PATH_MAX) return path_error(verb, path, ENAMETOOLONG);
    parents = Parents::MustExist;
  }
  return path_error(verb, path, ELOOP);
}

}  // namespace goondan::os
