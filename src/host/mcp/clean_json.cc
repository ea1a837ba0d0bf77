// Cleaning the texts inside of JSON.
#include "host/mcp/clean_text.h"

namespace goondan {
namespace {

std::size_t clean_string(JsonString& text) {
  const CleanText clean = clean_text(text);
  if (clean.text != std::string_view(text)) text.assign(clean.text);
  return clean.removed;
}

std::size_t clean_object(JsonObject& object) {
  std::size_t removed = 0;
  JsonObject clean;
  clean.reserve(object.size());
  for (auto& field : object) {
    CleanText key = clean_text(field.key());
    removed += key.removed + clean_json(field.value());
    clean.emplace(key.text, std::move(field.value()));  // of two equal keys the first stays
  }
  object = std::move(clean);
  return removed;
}

}  // namespace

std::size_t clean_json(Json& value) {
  if (value.is_string()) return clean_string(value.get_string());
  if (value.is_object()) return clean_object(value.get_object());
  std::size_t removed = 0;
  if (value.is_array()) {
    for (Json& element : value.get_array())
      removed += clean_json(element);
  }
  return removed;
}

std::size_t clean_schema_texts(Json& schema) {
  std::size_t removed = 0;
  if (JsonArray* array = schema.if_array()) {
    for (Json& element : *array)
      removed += clean_schema_texts(element);
  }
  JsonObject* object = schema.if_object();
  if (object == nullptr) return removed;
  for (auto& field : *object) {
    const std::string_view key = field.key();
    JsonString* text = field.value().if_string();
    const bool said = key == "title" || key == "description" || key == "$comment";
    if (text == nullptr) {
      removed += clean_schema_texts(field.value());
    } else if (said) {
      removed += clean_string(*text);
    }
  }
  return removed;
}

}  // namespace goondan
