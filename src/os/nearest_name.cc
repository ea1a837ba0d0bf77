#include "os/nearest_name.h"

#include <fcntl.h>

#include "base/nearest.h"
#include "base/utf8.h"
#include "os/folder_stream.h"
#include "os/path_text.h"

namespace goondan::os {
namespace {

constexpr std::size_t kMaxNames = 1000;

std::vector<std::string> names_in(UniqueFd folder) {
  std::vector<std::string> names;
  const FolderStream stream = open_stream(std::move(folder));
  while (stream && names.size() < kMaxNames) {
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    if (name != "." && name != ".." && utf8::valid(name)) names.emplace_back(name);
  }
  std::ranges::sort(names);  // of equally near names the first
  return names;
}

// What a path beneath the root begins with, if it is not written relative to the root.
std::string begin_of(const RootedPath& path) {
  if (path.given == path.relative) return "";
  return path.absolute.substr(0, path.absolute.size() - path.relative.size());
}

}  // namespace

std::string nearest_name_suggestion(const RootedPath& path) {
  if (path.given.starts_with('~'))
    return "'~' is an ordinary character here; give a path below the working folder.";
  // Up to the first folder that is there: the part after it is the missing one.
  std::string missing = path.relative;
  while (missing != ".") {
    const SplitPath parts = split_path(missing);
    UniqueFd folder = path.root->open_beneath(parts.folder, O_RDONLY | O_DIRECTORY);
    if (!folder) {
      missing = parts.folder;
      continue;
    }
    const std::vector<std::string> names = names_in(std::move(folder));
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view alike = nearest(parts.name, views);
    if (alike.empty() || alike == parts.name) return "";
    std::string meant = begin_of(path);
    if (parts.folder != ".") meant.append(parts.folder).append("/");
    meant.append(alike).append(path.relative, missing.size());
    return "Did you mean " + quoted_path(meant) + "?";
  }
  return "";
}

}  // namespace goondan::os
