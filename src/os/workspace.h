// The folders that a tool may use, and paths bound to them.
//
// This is the only way from a path that a model gave to a file: `Workspace::resolve` says in which
// granted folder the path lies, and every operation starts at that folder's descriptor and is kept
// beneath it by the kernel (`openat2` with `RESOLVE_BENEATH`; on kernels without it, a walk that
// follows no link out). A path is never checked as text and then opened as text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "os/root.h"

namespace goondan::os {

// A folder that an operator opens to tools beyond the workdir.
struct FolderGrant {
  std::string path;
  Access access = Access::Read;
};

struct WorkspaceOptions {
  std::string workdir;                   // absolute; the base of relative paths; read and write
  std::vector<FolderGrant> grants = {};  // further roots
  std::vector<std::string> guarded =
      {};  // folders that are read-only unless a grant says otherwise
};

// A path bound to the root it lies in. Cheap to copy; keeps the root open.
struct RootedPath {
  std::shared_ptr<const Root> root;
  std::string relative;  // below the root, normalised; "." for the root itself
  std::string absolute;  // what results and messages show
};

// Immutable and thread-safe. Holds a descriptor for each root, so a folder that is replaced by a
// link afterwards is not followed.
class Workspace {
 public:
  // Fails with `E_IO` or `E_NOT_FOUND` if the workdir cannot be opened. A grant that cannot be
  // opened is an error too: silently having less than the operator wrote helps nobody.
  static Result<Workspace> open(const WorkspaceOptions& options);

  // Relative paths start at the workdir; `.` and `..` are resolved as text first. The most specific
  // root wins. Fails with `E_PATH_INVALID`, `E_PATH_OUTSIDE_WORKSPACE` (with the line to add) or
  // `E_PATH_READ_ONLY`. That the path exists is not checked.
  [[nodiscard]] Result<RootedPath> resolve(std::string_view path, Access need) const;

  [[nodiscard]] const std::string& workdir() const { return workdir_; }

 private:
  Workspace() = default;

  std::string workdir_;
  std::vector<std::shared_ptr<const Root>> roots_;
  std::vector<std::string> guarded_;
};

}  // namespace goondan::os
