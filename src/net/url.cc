#include "net/url.h"

namespace goondan::net {

Result<Url> Url::parse(std::string_view) {
  return tool_error("stub");
}
Result<Url> Url::resolve(std::string_view) const {
  return tool_error("stub");
}
std::string Url::text() const {
  return {};
}
std::string Url::origin() const {
  return {};
}
std::string Url::host_header() const {
  return {};
}
std::string Url::safe_text() const {
  return {};
}

}  // namespace goondan::net
