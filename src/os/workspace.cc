#include "os/workspace.h"

namespace goondan::os {

Result<Workspace> Workspace::open(const WorkspaceOptions&) {
  return tool_error("stub");
}
Result<RootedPath> Workspace::resolve(std::string_view, Access) const {
  return tool_error("stub");
}

}  // namespace goondan::os
