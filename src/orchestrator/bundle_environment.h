// The environment of the agents: ours, and what the environment files of the bundle say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>

namespace goondan::orchestrator {

struct AgentEnvironment {
  std::vector<std::string> entries = {};  // "NAME=value"
  std::vector<std::string> secrets = {};  // values, and parts of values, that nobody is to see
  std::string fingerprint = {};           // of what the files say; not of the system's variables
};

// `bundle`, or the folder of the file that it names.
std::filesystem::path bundle_folder(const std::filesystem::path& bundle);

// The system's variables, overridden by `.env`, `.env.local` and `env_file` in this order. Fails if
// one cannot be read, or if `env_file` does not exist.
Result<AgentEnvironment> agent_environment(const std::filesystem::path& bundle,
                                           const std::optional<std::filesystem::path>& env_file);

}  // namespace goondan::orchestrator
