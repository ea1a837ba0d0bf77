#include "net/host_policy.h"

namespace goondan::net {

Result<AllowedHost> AllowedHost::parse(std::string_view) {
  return tool_error("stub");
}
bool HostPolicy::allows(const Url&) const {
  return false;
}
Result<void> HostPolicy::judge_name(const Url&) const {
  return tool_error("stub");
}
Result<void> HostPolicy::judge_address(const Url&, const IpAddress&) const {
  return tool_error("stub");
}

}  // namespace goondan::net
