#include "base/json_fields.h"

#include <algorithm>
#include <array>

namespace goondan {
namespace {

// The code with this spelling on the wire; `Tool` with a custom code if it is none of ours.
void set_code(Error& error, const std::string& wire) {
#define GDN_CODE(id, text, name) ErrorCode::id,
  constexpr std::array kCodes{GDN_ERROR_CODES(GDN_CODE)};
#undef GDN_CODE
  const auto found =
      std::ranges::find_if(kCodes, [&wire](ErrorCode code) { return wire_code(code) == wire; });
  if (found != kCodes.end()) {
    error.code = *found;
  } else {
    error.code = ErrorCode::Tool;
    error.custom_code = wire;
  }
}

}  // namespace

std::string text_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::optional<std::int64_t> integer_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  if (found == nullptr || !found->is_number()) return {};
  boost::json::error_code failed;
  const auto number = found->to_number<std::int64_t>(failed);
  return failed ? std::nullopt : std::optional(number);
}

bool true_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const JsonObject* object_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_object();
}

const JsonArray* array_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_array();
}

Json any_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found == nullptr ? Json(nullptr) : *found;
}

const JsonObject& object_or_empty(const Json& value) {
  static const JsonObject kEmpty;
  return value.is_object() ? value.get_object() : kEmpty;
}

Json error_json(const Error& error) {
  JsonObject object{
      {"code", error.code_text()}, {"name", error.name()}, {"message", error.message}};
  if (!error.suggestion.empty()) object["suggestion"] = error.suggestion;
  if (!error.help_url.empty()) object["helpUrl"] = error.help_url;
  return object;
}

Error error_from(const Json& value) {
  const JsonObject& object = object_or_empty(value);
  Error error{.code = ErrorCode::Tool,
              .message = text_field(object, "message"),
              .suggestion = text_field(object, "suggestion"),
              .help_url = text_field(object, "helpUrl")};
  if (const std::string code = text_field(object, "code"); !code.empty()) set_code(error, code);
  if (const std::string name = text_field(object, "name"); name != error.name()) {
    error.custom_name = name;
  }
  return error;
}

}  // namespace goondan
