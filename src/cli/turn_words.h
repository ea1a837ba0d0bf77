// `--subject` and `--origin`: for whom a turn acts, and where it came from.
#pragma once

#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::cli {

struct TurnWords {
  std::vector<std::string> subjects = {};  // global=TEXT, user=TEXT
  std::vector<std::string> origin = {};    // KEY=TEXT
};

// `{auth: {subjects: {...}}?, origin: {...}?}`; what was not given is not there. `E_USAGE`.
Result<JsonObject> turn_surroundings(const TurnWords& words);

}  // namespace goondan::cli
