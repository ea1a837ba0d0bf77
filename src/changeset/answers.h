// What a commit is answered with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/json.h>

#include "changeset/trees.h"

namespace goondan::changeset {

// What went wrong, for whom it was done.
struct Refusal {
  std::string_view status;  // rejected, conflict or failed
  std::string_view code;
  std::string message;
  std::string suggestion = {};
  std::string_view files_key = {};  // `violatedFiles` or `conflictingFiles`
  std::vector<std::string> files = {};
  JsonArray diagnostics = {};
};

// `about` holds the fields that every answer has; the rest is added to it.
Json refused(JsonObject about, const Refusal& refusal);
Json accepted(JsonObject about, const Repository& repository, const std::vector<FileStep>& steps);

// The refusal of a bundle that does not validate; `ok` reports have none.
Refusal invalid_bundle(const BundleReport& report, std::string_view when);

// While somebody merges, rebases or the like in the bundle's repository.
std::optional<Refusal> in_the_middle(const Repository& repository);

// Paths as seen from the bundle; those outside stay as they are.
std::vector<std::string> seen_from_bundle(const Repository& repository,
                                          const std::vector<std::string>& paths);

}  // namespace goondan::changeset
