#include "resource/parameters.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "resource/type_names.h"
#include "schema/schema.h"

namespace goondan {
namespace {

constexpr std::string_view kExample = "Begin it with `type: object`.";

// `~1` and `~0` are how a JSON pointer says `/` and `~`.
std::string unescaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    if (!escape) {
      text += token[i];
    } else {
      text += token[++i] == '1' ? '/' : '~';
    }
  }
  return text;
}

std::optional<Place> step(const Place& place, std::string_view token) {
  if (place.node->kind == yaml::NodeKind::Mapping) {
    const std::string key = unescaped(token);
    for (std::size_t i = 0; i < place.node->children.size() / 2; ++i) {
      if (place.node->children[2 * i]->text == key) return place.member(i);
    }
    return std::nullopt;
  }
  if (place.node->kind != yaml::NodeKind::Sequence) return std::nullopt;
  std::size_t index = 0;
  const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (failure != std::errc{} || index >= place.node->children.size()) return std::nullopt;
  return place.item(index);
}

// The deepest place that the JSON pointer in `message` (`... at /properties/a: ...`) leads to.
Place pointed_place(const Place& parameters, std::string_view message) {
  Place place = parameters;
  const std::size_t begin = message.find(" /");
  if (begin == std::string_view::npos) return place;
  std::string_view pointer = message.substr(begin + 1);
  pointer = pointer.substr(0, pointer.find(": "));
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = std::min(pointer.find('/'), pointer.size());
    const std::optional<Place> next = step(place, pointer.substr(0, slash));
    if (!next) break;
    place = *next;
    pointer.remove_prefix(slash);
  }
  return place;
}

}  // namespace

void check_parameters(const Place& place, const Json& json, Diagnostics& diagnostics) {
  if (place.node->kind != yaml::NodeKind::Mapping) {
    diagnostics.error(
        place.spot(), ErrorCode::ConfigParametersInvalid,
        "`parameters` must be a JSON Schema, not " + std::string(yaml::describe(*place.node)),
        std::string(kExample));
    return;
  }
  const yaml::Node* type = place.node->find("type");
  if (type == nullptr || type->text != "object") {
    const std::optional<Place> given = place.find("type");
    diagnostics.error(given ? given->spot() : place.key_spot(), ErrorCode::ConfigParametersInvalid,
                      "`parameters` must be a JSON Schema of type `object`", std::string(kExample));
    return;
  }
  check_type_names(place, diagnostics);
  const auto schema = Schema::compile(json);
  if (schema) return;
  const Place wrong = pointed_place(place, schema.error().message);
  diagnostics.error(wrong.spot(), ErrorCode::ConfigParametersInvalid,
                    "`parameters`: " + schema.error().message, schema.error().suggestion);
}

}  // namespace goondan
