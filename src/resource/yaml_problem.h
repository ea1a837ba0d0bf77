// The YAML library's complaints in plain sentences.
#pragma once

#include <string>
#include <string_view>

namespace goondan::yaml {

// What the library said: what it was doing (`context`), and what was wrong (`problem`).
struct LibraryProblem {
  std::string_view context;
  std::string_view problem;
  std::string_view line_rest;  // the text from the place of the problem to the end of its line
};

struct Explanation {
  std::string message;
  std::string suggestion;
  bool at_context = false;  // the place to show is where the thing began, not where it broke off
};

Explanation explain(const LibraryProblem& problem);

}  // namespace goondan::yaml
