// The words that `gdn orchestrator` is started with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>

namespace goondan::orchestrator {

struct Arguments {
  std::filesystem::path bundle = {};      // absolute
  std::string swarm = {};                 // empty: the zygote chooses
  std::filesystem::path state_root = {};  // absolute
  enum class Watch { No, Yes } watch = Watch::No;
  std::optional<std::filesystem::path> env_file = {};  // absolute
  std::optional<int> handover = {};     // a descriptor: this program replaces an earlier one
  std::vector<std::string> words = {};  // all of them without the handover, for the next program
};

// `E_USAGE` for what it does not know or lacks.
Result<Arguments> parse_arguments(int argc, char** argv);

}  // namespace goondan::orchestrator
