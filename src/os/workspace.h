// The folders that a tool may use, and paths bound to them.
//
// This is the only way from a path that a model gave to a file: `Workspace::resolve` says in which
// granted folder the path lies, and every operation starts at that folder's descriptor and is kept
// beneath it by the kernel (`openat2` with `RESOLVE_BENEATH`; on kernels without it, a walk that
// follows no link out). A path is never checked as text and then opened as text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "os/root.h"
#include "os/write_guard.h"

namespace goondan::os {

// A folder that an operator opens to tools beyond the workdir.
struct FolderGrant {
  std::string path;
  Access access = Access::Read;
};

struct WorkspaceOptions {
  std::string workdir;                    // absolute; the base of relative paths; read and write
  std::vector<FolderGrant> grants = {};   // further roots, absolute
  std::vector<std::string> guarded = {};  // read-only unless a grant, as deep or deeper, says
                                          // otherwise; also where the workdir lies in one
  Resolution resolution = Resolution::Kernel;
};

// A path bound to the root it lies in. Cheap to copy; keeps the root open.
struct RootedPath {
  std::shared_ptr<const Root> root;
  std::string relative;                     // below the root, normalised; "." for the root itself
  std::string absolute;                     // what results show
  std::string given;                        // as the caller wrote it; what messages show
  std::shared_ptr<const WriteGuard> guard;  // null if the root alone decides
};

// A folder that decides what may be done in it and below.
struct WorkspacePlace {
  // What paths begin with that lie in it: as it was given, and without links.
  std::vector<std::string> names = {};
  std::string real = {};                  // without links
  Access access = Access::Read;           // what counts in the end, guards considered
  std::shared_ptr<const Root> root = {};  // null: it only guards
  std::optional<FolderId> id = {};        // none: there is no such folder
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

  // As it was given, normalised.
  [[nodiscard]] const std::string& workdir() const { return workdir_; }

 private:
  Workspace() = default;

  std::string workdir_;
  std::vector<WorkspacePlace> places_;  // the workdir first
  std::shared_ptr<const WriteGuard> guard_;
};

}  // namespace goondan::os
