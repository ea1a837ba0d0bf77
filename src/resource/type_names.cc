#include "resource/type_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/nearest.h"

namespace goondan {
namespace {

constexpr auto kTypes = std::to_array<std::string_view>(
    {"string", "number", "integer", "boolean", "array", "object", "null"});

// Keywords whose value is a schema, a list of schemas, a mapping of names to schemas.
constexpr auto kSchema = std::to_array<std::string_view>(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
     "unevaluatedItems", "unevaluatedProperties"});
constexpr auto kList = std::to_array<std::string_view>({"allOf", "anyOf", "oneOf", "prefixItems"});
constexpr auto kNamed = std::to_array<std::string_view>(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"});

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void check_name(const Place& place, Diagnostics& diagnostics) {
  if (!place.node->is_text() || among(kTypes, place.node->text)) return;
  const std::string_view like = nearest(place.node->text, kTypes);
  diagnostics.error(place.spot(), ErrorCode::ConfigParametersInvalid,
                    in_backticks(place.node->text) + " is not a type of JSON Schema",
                    like.empty() ? "Types are string, number, integer, boolean, array, object and "
                                   "null."
                                 : "Did you mean " + in_backticks(like) + "?");
}

void check_names(const Place& place, Diagnostics& diagnostics) {
  check_name(place, diagnostics);
  if (place.node->kind != yaml::NodeKind::Sequence) return;
  for (std::size_t i = 0; i < place.node->children.size(); ++i) {
    check_name(place.item(i), diagnostics);
  }
}

void check_children(const Place& place, Diagnostics& diagnostics) {
  const bool mapping = place.node->kind == yaml::NodeKind::Mapping;
  const std::size_t count = place.node->children.size() / (mapping ? 2 : 1);
  for (std::size_t i = 0; i < count; ++i) {
    check_type_names(mapping ? place.member(i) : place.item(i), diagnostics);
  }
}

}  // namespace

// As deep as the document, which the parser has bounded.
void check_type_names(const Place& schema, Diagnostics& diagnostics) {
  if (schema.node->kind != yaml::NodeKind::Mapping) return;
  for (std::size_t i = 0; i < schema.node->children.size() / 2; ++i) {
    const std::string& keyword = schema.node->children[2 * i]->text;
    const yaml::NodeKind kind = schema.node->children[2 * i + 1]->kind;
    if (keyword == "type") {
      check_names(schema.member(i), diagnostics);
    } else if (among(kSchema, keyword)) {
      check_type_names(schema.member(i), diagnostics);
    } else if ((among(kList, keyword) && kind == yaml::NodeKind::Sequence) ||
               (among(kNamed, keyword) && kind == yaml::NodeKind::Mapping)) {
      check_children(schema.member(i), diagnostics);
    }
  }
}

}  // namespace goondan
