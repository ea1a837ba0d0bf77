#include "os/workspace.h"

#include "os/path_error.h"
#include "os/path_text.h"

namespace goondan::os {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;

using Place = WorkspacePlace;

Error invalid_path(std::string_view path, std::string_view problem) {
  return {.code = ErrorCode::PathInvalid,
          .message = "the path " + quoted_path(path) + " " + std::string(problem)};
}

Result<void> check_text(std::string_view path) {
  if (path.empty()) return invalid_path(path, "is empty");
  if (path.find('\0') != std::string_view::npos) return invalid_path(path, "holds a NUL byte");
  if (path.size() > kMaxPathBytes) return invalid_path(path, "is longer than 4096 bytes");
  return {};
}

struct Found {
  const Place* nearest = nullptr;  // decides what may be done
  const Place* root = nullptr;     // where operations start
  std::string_view root_name;      // the name of `root` that the path begins with
};

Found find_places(const std::vector<Place>& places, std::string_view path) {
  Found found;
  std::size_t nearest_size = 0;
  for (const Place& place : places) {
    for (const std::string& name : place.names) {
      if (!lies_in(path, name)) continue;
      if (found.nearest == nullptr || name.size() > nearest_size) {
        found.nearest = &place;
        nearest_size = name.size();
      }
      if (place.root && (found.root == nullptr || name.size() > found.root_name.size())) {
        found.root = &place;
        found.root_name = name;
      }
    }
  }
  return found;
}

// The folder an operator would have to allow: the one that holds `path`, but not all of the disk.
std::string folder_to_allow(const std::string& path) {
  const std::string folder = split_path(path).folder;
  return folder == "/" ? path : folder;
}

Error outside_error(std::string_view given, const std::string& absolute, const std::string& workdir,
                    Access need) {
  return {.code = ErrorCode::PathOutsideWorkspace,
          .message = quoted_path(given) + " is outside the folders that may be used",
          .suggestion = "Use a path inside " + quoted_path(workdir) + ". If this one is meant, " +
                        how_to_allow(folder_to_allow(absolute), need)};
}

Error read_only_error(std::string_view given, const std::string& absolute, const Place& place) {
  const std::string folder = absolute == place.names.front() ? absolute : folder_to_allow(absolute);
  return {.code = ErrorCode::PathReadOnly,
          .message = quoted_path(given) + " may be read but not written: it lies in " +
                     quoted_path(place.names.front()),
          .suggestion = "Write somewhere else. If this path is meant, " +
                        how_to_allow(folder, Access::ReadWrite)};
}

}  // namespace

Result<RootedPath> Workspace::resolve(std::string_view path, Access need) const {
  GDN_TRY(check_text(path));
  std::string absolute = normal_path(workdir_, path);
  const Found found = find_places(places_, absolute);
  if (found.root == nullptr) return outside_error(path, absolute, workdir_, need);
  if (need == Access::ReadWrite && found.nearest->access == Access::Read)
    return read_only_error(path, absolute, *found.nearest);
  return RootedPath{.root = found.root->root,
                    .relative = below(absolute, found.root_name),
                    .absolute = std::move(absolute),
                    .given = std::string(path),
                    .guard = guard_};
}

}  // namespace goondan::os
