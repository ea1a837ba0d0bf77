#include "resource/mapping_reader.h"

#include <algorithm>
#include <utility>

#include "base/nearest.h"

namespace goondan {
namespace {

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

MappingReader::MappingReader(Place place, Diagnostics& diagnostics)
    : place_(std::move(place)), diagnostics_(diagnostics) {
  if (place_.node->kind != yaml::NodeKind::Mapping) {
    report_wrong_kind(place_, "a mapping", "", diagnostics_);
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
    report_wrong_kind(*field, "a mapping", "", diagnostics_);
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
