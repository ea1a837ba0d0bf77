#include "os/rooted_files.h"

namespace goondan::os {

Result<FileContent> read_file(const RootedPath&, std::size_t) {
  return tool_error("stub");
}
Result<std::uint64_t> write_file(const RootedPath&, std::string_view, WriteMode) {
  return tool_error("stub");
}
Result<void> make_folder(const RootedPath&, Parents) {
  return tool_error("stub");
}
Result<UniqueFd> open_folder(const RootedPath&) {
  return tool_error("stub");
}
Result<void> check_readable_file(const RootedPath&) {
  return tool_error("stub");
}
Result<Listing> list_folder(const RootedPath&, const ListOptions&) {
  return tool_error("stub");
}

}  // namespace goondan::os
