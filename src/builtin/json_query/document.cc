#include "builtin/json_query/document.h"

#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/json_query/handlers.h"

namespace goondan::builtin::json_query {
namespace {

std::string_view with_article(Kind kind) {
  switch (kind) {
    case Kind::Object:
      return "an object";
    case Kind::Array:
      return "an array";
    case Kind::String:
      return "a string";
    case Kind::Number:
      return "a number";
    case Kind::Boolean:
      return "a boolean";
    case Kind::Null:
      return "null";
  }
  return "null";
}

}  // namespace

Result<Scanner> open_document(const JsonObject& input) {
  const Json* data = input.if_contains("data");
  if (data == nullptr || !data->is_string() || data->get_string().empty()) {
    return invalid_argument("data", "must be a non-empty string");
  }
  if (data->get_string().size() > kMaxDocumentBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "'data' is larger than " + std::to_string(kMaxDocumentBytes) + " bytes",
                 .suggestion = "Pass a part of the document."};
  }
  return Scanner(data->get_string());
}

std::string path_argument(const JsonObject& input) {
  return utf8::repaired(text_argument(input, "path").value_or("."));
}

Result<void> expect_kind(Scanner& scanner, Kind wanted, std::string_view operation) {
  const std::optional<Kind> kind = scanner.next_kind();
  if (kind == wanted) return {};
  if (!kind || !scanner.skip_value() || !scanner.read_end()) return scanner.error();
  return Error{.code = ErrorCode::ToolInvalidArgs,
               .message = "Input data must be a JSON " +
                          std::string(wanted == Kind::Object ? "object" : "array") + " for " +
                          std::string(operation) + " operation, but 'data' is " +
                          std::string(with_article(*kind)),
               .suggestion = "Take the part you mean out of the document with json-query__query."};
}

}  // namespace goondan::builtin::json_query
