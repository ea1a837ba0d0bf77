// The forms of a reference.
#include <algorithm>
#include <string>
#include <string_view>

#include <goondan/resources.h>

#include "resource/source_text.h"

namespace goondan {
namespace {

Error invalid(std::string message) {
  return {.code = ErrorCode::ConfigInvalidRef,
          .message = std::move(message),
          .suggestion = "Write it as `Kind/name`, for example `Tool/bash`."};
}

Result<ObjectRef> parse_text(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool one_slash = slash != std::string_view::npos && text.find('/', slash + 1) == text.npos;
  if (!one_slash || slash == 0 || slash + 1 == text.size()) {
    return invalid(in_backticks(text) + " is not a reference");
  }
  return ObjectRef{.kind = std::string(text.substr(0, slash)),
                   .name = std::string(text.substr(slash + 1))};
}

Result<std::string> text_field(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string() || value->get_string().empty()) {
    return invalid(in_backticks(key) + " of a reference must be text and not empty");
  }
  return std::string(value->get_string());
}

Result<ObjectRef> parse_object(const JsonObject& object) {
  ObjectRef ref;
  ref.kind = GDN_TRY(text_field(object, "kind"));
  ref.name = GDN_TRY(text_field(object, "name"));
  ref.package = GDN_TRY(text_field(object, "package"));
  ref.api_version = GDN_TRY(text_field(object, "apiVersion"));
  if (ref.kind.empty() || ref.name.empty()) {
    return invalid("a reference needs `kind` and `name`");
  }
  return ref;
}

}  // namespace

Result<ObjectRef> ObjectRef::parse(const Json& value) {
  const Json* inner = &value;
  if (value.is_object() && value.get_object().contains("ref")) {
    inner = &value.get_object().at("ref");
  }
  if (inner->is_string()) return parse_text(inner->get_string());
  if (inner->is_object()) return parse_object(inner->get_object());
  return invalid("a reference must be text or a mapping");
}

}  // namespace goondan
