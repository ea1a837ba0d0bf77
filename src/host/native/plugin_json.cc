#include "host/native/plugin_json.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxNameLength = 200;   // code points
constexpr std::size_t kMaxTextLength = 2000;  // code points

std::string text_at(const JsonObject& object, std::string_view key, std::size_t max_length) {
  const Json* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(utf8::prefix(value->get_string(), max_length));
}

std::optional<ErrorCode> known_code(std::string_view wire) {
#define GDN_CODE(id, text, name) ErrorCode::id,
  constexpr std::array kCodes{GDN_ERROR_CODES(GDN_CODE)};
#undef GDN_CODE
  const auto found = std::ranges::find(kCodes, wire, wire_code);
  return found == kCodes.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

Json error_to_json(const Error& error) {
  JsonObject object{
      {"message", error.message}, {"code", error.code_text()}, {"name", error.name()}};
  if (!error.suggestion.empty()) object["suggestion"] = error.suggestion;
  if (!error.help_url.empty()) object["helpUrl"] = error.help_url;
  return object;
}

std::optional<Error> error_from_json(const Json& json) {
  const JsonObject* const object = json.if_object();
  const Json* const message = object == nullptr ? nullptr : object->if_contains("message");
  if (message == nullptr || !message->is_string()) return std::nullopt;
  Error error{.code = ErrorCode::Tool, .message = std::string(message->get_string())};
  const std::string code = text_at(*object, "code", kMaxNameLength);
  const std::string name = text_at(*object, "name", kMaxNameLength);
  const std::optional<ErrorCode> known = known_code(code);
  if (known) error.code = *known;
  if (!known) error.custom_code = code;
  if (name != wire_name(error.code)) error.custom_name = name;
  error.suggestion = text_at(*object, "suggestion", kMaxTextLength);
  error.help_url = text_at(*object, "helpUrl", kMaxTextLength);
  return error;
}

}  // namespace goondan
