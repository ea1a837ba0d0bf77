#include "cli/call_arguments.h"

#include "base/utf8.h"

namespace goondan::cli {
namespace {

enum class Expected { Text, Json, Unknown };

bool names_string(const Json& type) {
  if (type.is_string()) return type.get_string() == "string";
  if (!type.is_array()) return false;
  const JsonArray& types = type.get_array();
  return std::any_of(types.begin(), types.end(), names_string);
}

Expected expected_type(const CatalogItem* item, std::string_view key) {
  if (item == nullptr || !item->parameters || !item->parameters->is_object()) {
    return Expected::Unknown;
  }
  const Json* properties = item->parameters->get_object().if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return Expected::Unknown;
  const Json* property = properties->get_object().if_contains(key);
  if (property == nullptr || !property->is_object()) return Expected::Unknown;
  const Json* type = property->get_object().if_contains("type");
  if (type == nullptr) return Expected::Unknown;
  return names_string(*type) ? Expected::Text : Expected::Json;
}

Error not_json(std::string_view key, const Error& cause) {
  return {.code = ErrorCode::Usage,
          .message = "the value of '" + std::string(key) + "' is " + cause.message,
          .suggestion = "After := comes JSON, e.g. count:=3 or tags:='[\"a\"]'."};
}

Error not_a_pair(std::string_view word) {
  return {.code = ErrorCode::Usage,
          .message = "'" + std::string(word) + "' is not of the form key=value",
          .suggestion = "Write key=value, key:=json, or --input '{\"key\": \"value\"}'."};
}

// Text that is no JSON stays text; the schema check then says what is expected instead.
Json read_value(std::string_view text, Expected expected) {
  if (expected == Expected::Text) return Json(text);
  Result<Json> parsed = parse_json(text);
  return parsed.ok() ? *std::move(parsed) : Json(text);
}

Result<void> add_word(JsonObject& arguments, std::string_view word, const CatalogItem* item) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return not_a_pair(word);
  const bool as_json = word[equals - 1] == ':';
  const std::string_view key = word.substr(0, as_json ? equals - 1 : equals);
  const std::string_view text = word.substr(equals + 1);
  if (key.empty()) return not_a_pair(word);
  if (!utf8::valid(word)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "the argument '" + utf8::repaired(key) + "' is not valid UTF-8",
                 .suggestion = "Give text in UTF-8; for other bytes, pass the path of a file."};
  }
  if (arguments.contains(key)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "'" + std::string(key) + "' is given twice",
                 .suggestion = "Give each argument once."};
  }
  if (!as_json) {
    arguments[key] = read_value(text, expected_type(item, key));
    return {};
  }
  Result<Json> parsed = parse_json(text);
  if (!parsed.ok()) return not_json(key, parsed.error());
  arguments[key] = *std::move(parsed);
  return {};
}

}  // namespace

Result<JsonObject> parse_call_arguments(std::span<const std::string> words,
                                        const CatalogItem* item) {
  JsonObject arguments;
  for (const std::string& word : words)
    GDN_TRY(add_word(arguments, word, item));
  return arguments;
}

}  // namespace goondan::cli
