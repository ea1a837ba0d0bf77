#include "builtin/file_system/encoded_files.h"

#include "builtin/arguments.h"
#include "builtin/file_system/file_system.h"
#include "builtin/file_system/file_text.h"
#include "builtin/file_system/text_encoding.h"
#include "os/rooted_files.h"

namespace goondan::builtin::file_system {
namespace {

Result<Encoding> encoding_argument(const JsonObject& input) {
  const std::string_view name = text_argument(input, "encoding").value_or("");
  if (name.empty()) return Encoding::Utf8;
  const std::optional<Encoding> encoding = find_encoding(name);
  if (encoding) return *encoding;
  return invalid_argument("encoding",
                          "must be one of utf8, base64, base64url, hex, latin1, ascii and utf16le");
}

}  // namespace

Result<Json> read_encoded(const os::Workspace& workspace, const JsonObject& input) {
  const Encoding encoding = GDN_TRY(encoding_argument(input));
  const std::size_t limit = GDN_TRY(read_limit(input));
  const os::RootedPath path = GDN_TRY(file_path(workspace, input, os::Access::Read));
  os::FileContent content = GDN_TRY(os::read_file(path, limit));
  JsonObject result{
      {"path", path.absolute}, {"size", content.size}, {"truncated", content.truncated}};
  result["content"] =
      encoding == Encoding::Utf8 ? file_text(std::move(content)) : decode(content.bytes, encoding);
  return result;
}

Result<Json> write_encoded(const os::Workspace& workspace, const JsonObject& input) {
  const Encoding encoding = GDN_TRY(encoding_argument(input));
  const os::RootedPath path = GDN_TRY(file_path(workspace, input, os::Access::ReadWrite));
  const std::string bytes = GDN_TRY(encode(text_argument(input, "content").value_or(""), encoding));
  const std::uint64_t size = GDN_TRY(os::write_file(path, bytes, os::WriteMode::Replace));
  return JsonObject{{"path", path.absolute}, {"size", size}, {"written", true}};
}

}  // namespace goondan::builtin::file_system
