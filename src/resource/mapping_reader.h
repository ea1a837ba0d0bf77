// Reads the fields of one mapping by name, says what is wrong with each, and knows at the end
// which fields nobody asked for.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "resource/diagnostics.h"
#include "resource/field_values.h"
#include "resource/place.h"

namespace goondan {

// What a field nobody knows is: an error where a slip could grant too much, a warning elsewhere,
// or one only if it looks like a slip (in specifications that have more fields than we read).
enum class Unknown { Error, Warning, WarnOnSlips };

// Lives for the reading of one mapping. Names given to it must outlive it (literals).
class MappingReader {
 public:
  // Behaves like an empty mapping, after reporting it, if the place holds something else.
  MappingReader(Place place, Diagnostics& diagnostics);

  [[nodiscard]] const Place& place() const { return place_; }

  // The field, or nothing if it is absent or null.
  std::optional<Place> find(std::string_view name);
  // The same, and reports its absence.
  std::optional<Place> require(std::string_view name, std::string_view suggestion = {});

  std::optional<std::string> text(std::string_view name);
  std::string text_or(std::string_view name, std::string_view otherwise);
  // Text that is there and not blank.
  std::optional<std::string> require_text(std::string_view name, std::string_view suggestion = {});
  std::optional<std::size_t> positive(std::string_view name);
  std::optional<bool> flag(std::string_view name);
  JsonObject object(std::string_view name);
  std::vector<Place> items(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  std::map<std::string, std::string> text_map(std::string_view name);

  // Fields that are fine but not read here.
  void allow(std::initializer_list<std::string_view> names);

  // Reports the fields that nobody asked for.
  void finish(Unknown unknown = Unknown::Warning);

 private:
  void report_unknown(const Place& field, Unknown unknown);

  Place place_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> known_;
};

}  // namespace goondan
