#include "resource/mapping_reader.h"

#include <algorithm>

#include "base/nearest.h"
#include "resource/limits.h"

namespace goondan {
namespace {

void wrong_kind(const Place& place, std::string_view wanted, std::string suggestion,
                Diagnostics& diagnostics) {
  const std::string name =
      place.key != nullptr ? in_backticks(place.key->text) : std::string("this item");
  diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                    name + " must be " + std::string(wanted) + ", not " +
                        std::string(yaml::describe(*place.node)),
                    std::move(suggestion));
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> read_text(const Place& place, Diagnostics& diagnostics) {
  if (place.node->is_text()) return place.node->text;
  const bool scalar = place.node->kind == yaml::NodeKind::Scalar && !place.node->is_null();
  const bool short_enough = place.node->text.size() <= kMaxQuotedCodePoints;
  std::string suggestion;
  if (scalar) suggestion = "Put it between quotes.";
  if (scalar && short_enough) suggestion = "Write \"" + place.node->text + "\".";
  wrong_kind(place, "text", std::move(suggestion), diagnostics);
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
  wrong_kind(place, "`true` or `false`", "", diagnostics);
  return std::nullopt;
}

std::optional<JsonObject> read_object(const Place& place, Diagnostics& diagnostics) {
  if (place.node->kind == yaml::NodeKind::Mapping) return place.node->to_json().as_object();
  wrong_kind(place, "a mapping", "", diagnostics);
  return std::nullopt;
}

std::vector<Place> read_items(const Place& place, Diagnostics& diagnostics) {
  std::vector<Place> items;
  if (place.node->kind != yaml::NodeKind::Sequence) {
    wrong_kind(place, "a list", "Write each item on a line of its own, after `- `.", diagnostics);
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

MappingReader::MappingReader(Place place, Diagnostics& diagnostics)
    : place_(std::move(place)), diagnostics_(diagnostics) {
  if (place_.node->kind != yaml::NodeKind::Mapping) {
    wrong_kind(place_, "a mapping", "", diagnostics_);
  }
}

std::optional<Place> MappingReader::find(std::string_view name) {
  known_.push_back(name);
  return place_.find(name);
}

std::optional<Place> MappingReader::require(std::string_view name, std::string_view suggestion) {
  std::optional<Place> found = find(name);
  if (!found && place_.node->kind == yaml::NodeKind::Mapping) {
    Spot spot = place_.key_spot();
    spot.path += "." + std::string(name);
    diagnostics_.error(spot, ErrorCode::ConfigSchemaInvalid, in_backticks(name) + " is missing",
                       std::string(suggestion));
  }
  return found;
}

std::optional<std::string> MappingReader::text(std::string_view name) {
  const std::optional<Place> field = find(name);
  return field ? read_text(*field, diagnostics_) : std::nullopt;
}

std::string MappingReader::text_or(std::string_view name, std::string_view otherwise) {
  return text(name).value_or(std::string(otherwise));
}

std::optional<std::string> MappingReader::require_text(std::string_view name,
                                                       std::string_view suggestion) {
  const std::optional<Place> field = require(name, suggestion);
  if (!field) return std::nullopt;
  std::optional<std::string> text = read_text(*field, diagnostics_);
  if (text && blank(*text)) {
    diagnostics_.error(field->spot(), ErrorCode::ConfigSchemaInvalid,
                       in_backticks(name) + " must not be empty", std::string(suggestion));
    return std::nullopt;
  }
  return text;
}

std::optional<std::size_t> MappingReader::positive(std::string_view name) {
  const std::optional<Place> field = find(name);
  return field ? read_positive(*field, diagnostics_) : std::nullopt;
}

std::optional<bool> MappingReader::flag(std::string_view name) {
  const std::optional<Place> field = find(name);
  return field ? read_flag(*field, diagnostics_) : std::nullopt;
}

JsonObject MappingReader::object(std::string_view name) {
  const std::optional<Place> field = find(name);
  if (!field) return {};
  return read_object(*field, diagnostics_).value_or(JsonObject{});
}

std::vector<Place> MappingReader::items(std::string_view name) {
  const std::optional<Place> field = find(name);
  return field ? read_items(*field, diagnostics_) : std::vector<Place>{};
}

std::vector<std::string> MappingReader::texts(std::string_view name) {
  const std::optional<Place> field = find(name);
  return field ? read_texts(*field, diagnostics_) : std::vector<std::string>{};
}

std::map<std::string, std::string> MappingReader::text_map(std::string_view name) {
  std::map<std::string, std::string> map;
  const std::optional<Place> field = find(name);
  if (!field) return map;
  if (field->node->kind != yaml::NodeKind::Mapping) {
    wrong_kind(*field, "a mapping", "", diagnostics_);
    return map;
  }
  for (std::size_t i = 0; i < field->node->children.size() / 2; ++i) {
    const Place member = field->member(i);
    if (std::optional<std::string> text = read_text(member, diagnostics_)) {
      map.emplace(member.key->text, std::move(*text));
    }
  }
  return map;
}

void MappingReader::allow(std::initializer_list<std::string_view> names) {
  known_.insert(known_.end(), names);
}

void MappingReader::finish(Unknown unknown) {
  if (place_.node->kind != yaml::NodeKind::Mapping) return;
  for (std::size_t i = 0; i < place_.node->children.size() / 2; ++i) {
    const std::string& name = place_.node->children[2 * i]->text;
    if (name == "<<") continue;  // the parser has spoken about it
    if (std::ranges::find(known_, name) == known_.end()) report_unknown(place_.member(i), unknown);
  }
}

void MappingReader::report_unknown(const Place& field, Unknown unknown) {
  const Severity severity = unknown == Unknown::Error ? Severity::Error : Severity::Warning;
  if (diagnostics_.full(severity)) return diagnostics_.count(severity);
  const std::string_view like = nearest(field.key->text, known_);
  if (like.empty() && unknown == Unknown::WarnOnSlips) return;
  std::string message = "the field " + in_backticks(field.key->text) + " is not known here";
  std::string suggestion = like.empty() ? "Remove it." : "Did you mean " + in_backticks(like) + "?";
  if (severity == Severity::Error) {
    diagnostics_.error(field.key_spot(), ErrorCode::ConfigUnknownField, std::move(message),
                       std::move(suggestion));
  } else {
    diagnostics_.warning(field.key_spot(), ErrorCode::ConfigUnknownField, std::move(message),
                         std::move(suggestion));
  }
}

}  // namespace goondan
