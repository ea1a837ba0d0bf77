#include "resource/place.h"

#include <algorithm>

namespace goondan {
namespace {

bool plain_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string path_step(std::string_view key) {
  if (!key.empty() && std::ranges::all_of(key, plain_key_character)) {
    return "." + std::string(key);
  }
  const std::string shown = in_backticks(key);
  return "[\"" + shown.substr(1, shown.size() - 2) + "\"]";
}

}  // namespace

std::optional<Place> Place::find(std::string_view name) const {
  const yaml::Node* value = node->find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return Place{.document = document,
               .node = value,
               .key = node->find_key(name),
               .path = path + path_step(name)};
}

Place Place::item(std::size_t index) const {
  return {.document = document,
          .node = node->children[index],
          .path = path + "[" + std::to_string(index) + "]"};
}

Place Place::member(std::size_t index) const {
  const yaml::Node* name = node->children[2 * index];
  return {.document = document,
          .node = node->children[2 * index + 1],
          .key = name,
          .path = path + path_step(name->text)};
}

Spot Place::spot() const {
  return {.source = *document->source,
          .document_index = document->index,
          .offset = node->begin,
          .path = path};
}

Spot Place::key_spot() const {
  Spot result = spot();
  if (key != nullptr) result.offset = key->begin;
  return result;
}

}  // namespace goondan
