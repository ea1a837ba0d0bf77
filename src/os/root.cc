#include "os/root.h"

namespace goondan::os {

Result<Root> Root::open(const std::string&, Access) {
  return tool_error("stub");
}
UniqueFd Root::open_beneath(const std::string&, int, mode_t) const {
  return {};
}

}  // namespace goondan::os
