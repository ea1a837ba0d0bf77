#include "net/ip_address.h"

namespace goondan::net {

std::optional<IpAddress> IpAddress::parse(std::string_view) {
  return std::nullopt;
}
std::string IpAddress::text() const {
  return {};
}
bool is_global_unicast(const IpAddress&) {
  return false;
}

}  // namespace goondan::net
