#include "os/rooted_files.h"

namespace goondan::os {

Result<Listing> list_folder(const RootedPath&, const ListOptions&) {
  return tool_error("stub");
}

}  // namespace goondan::os
