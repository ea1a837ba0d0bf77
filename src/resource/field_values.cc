#include "resource/field_values.h"

#include <utility>

#include "resource/limits.h"

namespace goondan {

void report_wrong_kind(const Place& place, std::string_view wanted, std::string suggestion,
                       Diagnostics& diagnostics) {
  const std::string name =
      place.key != nullptr ? in_backticks(place.key->text) : std::string("this item");
  diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                    name + " must be " + std::string(wanted) + ", not " +
                        std::string(yaml::describe(*place.node)),
                    std::move(suggestion));
}

std::optional<std::string> read_text(const Place& place, Diagnostics& diagnostics) {
  if (place.node->is_text()) return place.node->text;
  const bool scalar = place.node->kind == yaml::NodeKind::Scalar && !place.node->is_null();
  const bool short_enough = place.node->text.size() <= kMaxQuotedCodePoints;
  std::string suggestion;
  if (scalar) suggestion = "Put it between quotes.";
  if (scalar && short_enough) suggestion = "Write \"" + place.node->text + "\".";
  report_wrong_kind(place, "text", std::move(suggestion), diagnostics);
  return std::nullopt;
}

std::optional<std::size_t> read_positive(const Place& place, Diagnostics& diagnostics) {
  if (place.node->kind == yaml::NodeKind::Scalar && place.node->type == yaml::ScalarType::Int) {
    const Json value = place.node->to_json();
    if (value.is_int64() && value.get_int64() > 0 && value.get_int64() <= kMaxWholeNumber) {
      return static_cast<std::size_t>(value.get_int64());
    }
  }
  const std::string name =
      place.key != nullptr ? in_backticks(place.key->text) : std::string("this item");
  const bool scalar = place.node->kind == yaml::NodeKind::Scalar && !place.node->is_text();
  diagnostics.error(
      place.spot(), ErrorCode::ConfigSchemaInvalid,
      name + " must be a whole number from 1 to " + std::to_string(kMaxWholeNumber) + ", not " +
          (scalar ? in_backticks(place.node->text) : std::string(yaml::describe(*place.node))));
  return std::nullopt;
}

std::optional<bool> read_flag(const Place& place, Diagnostics& diagnostics) {
  if (place.node->kind == yaml::NodeKind::Scalar && place.node->type == yaml::ScalarType::Bool) {
    return place.node->to_json().as_bool();
  }
  report_wrong_kind(place, "`true` or `false`", "", diagnostics);
  return std::nullopt;
}

std::optional<JsonObject> read_object(const Place& place, Diagnostics& diagnostics) {
  if (place.node->kind == yaml::NodeKind::Mapping) return place.node->to_json().as_object();
  report_wrong_kind(place, "a mapping", "", diagnostics);
  return std::nullopt;
}

std::vector<Place> read_items(const Place& place, Diagnostics& diagnostics) {
  std::vector<Place> items;
  if (place.node->kind != yaml::NodeKind::Sequence) {
    report_wrong_kind(place, "a list", "Write each item on a line of its own, after `- `.",
                      diagnostics);
    return items;
  }
  items.reserve(place.node->children.size());
  for (std::size_t i = 0; i < place.node->children.size(); ++i)
    items.push_back(place.item(i));
  return items;
}

std::vector<std::string> read_texts(const Place& place, Diagnostics& diagnostics) {
  std::vector<std::string> texts;
  for (const Place& item : read_items(place, diagnostics)) {
    if (std::optional<std::string> text = read_text(item, diagnostics)) {
      texts.push_back(std::move(*text));
    }
  }
  return texts;
}

}  // namespace goondan
