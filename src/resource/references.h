// References between resources: reading them, and finding what they name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/resources.h>

#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// A reference that was read, to be followed once everything has been read.
struct Reference {
  Place place;
  ObjectRef ref;
  Kind expected;
};

// Reads `"Kind/name"`, `{kind, name, ...}` or either behind `ref:`, and notes it in `references`.
// Reports what is none of these, and a kind that cannot stand here.
std::optional<ObjectRef> read_reference(const Place& place, Kind expected,
                                        std::vector<Reference>& references,
                                        Diagnostics& diagnostics);

// Who declares what. The first of two with one name counts; the second is reported.
class Declarations {
 public:
  void add(Kind kind, const std::string& name, const Place& name_place, Diagnostics& diagnostics);

  [[nodiscard]] bool contains(Kind kind, std::string_view name) const;
  // Of one kind; bounded, for suggestions.
  [[nodiscard]] std::vector<std::string_view> names(Kind kind) const;
  [[nodiscard]] bool any(Kind kind) const;

 private:
  std::map<std::pair<Kind, std::string>, Place> places_;
};

// Reports every reference that names nothing. Built-in tools count as declared.
void check_references(const std::vector<Reference>& references, const Declarations& declarations,
                      Diagnostics& diagnostics);

}  // namespace goondan
