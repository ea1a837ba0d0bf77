#include "builtin/workspaces.h"

#include <sys/stat.h>

namespace goondan::builtin {
namespace {

// Each holds a descriptor for every root. Beyond this many workdirs all are opened anew.
constexpr std::size_t kMaxOpen = 64;

bool deleted(const os::Workspace& workspace) {
  const Result<os::RootedPath> workdir = workspace.resolve(".", os::Access::Read);
  struct stat status {};
  return !workdir.ok() || ::fstat(workdir->root->fd(), &status) != 0 || status.st_nlink == 0;
}

}  // namespace

Result<os::Workspace> Workspaces::at(const std::string& workdir) {
  const std::lock_guard lock(mutex_);
  const auto known = open_.find(workdir);
  if (known != open_.end() && !deleted(known->second)) return known->second;
  os::Workspace opened =
      GDN_TRY(os::Workspace::open({.workdir = workdir, .grants = grants_, .guarded = guarded_}));
  if (open_.size() >= kMaxOpen) open_.clear();
  open_.insert_or_assign(workdir, opened);
  return opened;
}

}  // namespace goondan::builtin
