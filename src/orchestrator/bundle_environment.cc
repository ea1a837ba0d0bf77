#include "orchestrator/bundle_environment.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <unistd.h>

#include "policy/environment.h"
#include "resource/env_file.h"

namespace goondan::orchestrator {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> system_variables() {
  std::map<std::string, std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string entry = *at;
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos) variables[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return variables;
}

}  // namespace

fs::path bundle_folder(const fs::path& bundle) {
  std::error_code ignored;
  return fs::is_regular_file(bundle, ignored) ? bundle.parent_path() : bundle;
}

Result<AgentEnvironment> agent_environment(const fs::path& bundle,
                                           const std::optional<fs::path>& env_file) {
  const fs::path folder = bundle_folder(bundle);
  std::vector<EnvEntry> files = GDN_TRY(load_env_file(folder / ".env", Absent::Empty));
  const std::vector<EnvEntry> local = GDN_TRY(load_env_file(folder / ".env.local", Absent::Empty));
  files.insert(files.end(), local.begin(), local.end());
  if (env_file) {
    const std::vector<EnvEntry> given = GDN_TRY(load_env_file(*env_file, Absent::Error));
    files.insert(files.end(), given.begin(), given.end());
  }
  std::map<std::string, std::string> variables = system_variables();
  std::string said;
  for (EnvEntry& entry : files) {
    said += entry.name + "=" + entry.value + '\0';
    variables[std::move(entry.name)] = std::move(entry.value);
  }
  AgentEnvironment environment;
  environment.fingerprint = std::to_string(std::hash<std::string>{}(said));
  for (const auto& [name, value] : variables) {
    environment.entries.push_back(name + "=" + value);
    std::ranges::move(secrets_in(name, value), std::back_inserter(environment.secrets));
  }
  return environment;
}

}  // namespace goondan::orchestrator
