#include "builtin/lenient_json.h"

#include "base/utf8.h"
#include "builtin/json_query/builder.h"
#include "builtin/json_query/scanner.h"

namespace goondan::builtin {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Repairing makes three bytes of one, so the text at most three times as long.
JsonString repaired(std::string_view text) {
  return utf8::valid(text) ? JsonString(text) : JsonString(utf8::repaired(text));
}

}  // namespace

Result<Json> read_lenient_json(std::string_view text, const ToolContext& context,
                               std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the JSON text is larger than " + std::to_string(max_bytes) + " bytes"};
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const JsonString document = repaired(text);
  json_query::Scanner scanner(document);
  Json value = GDN_TRY(json_query::build_value(scanner, context, 0));
  if (!scanner.read_end()) return scanner.error();
  return value;
}

}  // namespace goondan::builtin
