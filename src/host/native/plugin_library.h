// A shared library with tools in it, loaded into this process and checked.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/plugin_abi.h>
#include <goondan/result.h>

namespace goondan {

inline constexpr std::size_t kMaxPluginExports = 1000;

// Immutable; thread-safe. The library stays loaded until the process ends: its code may be in use
// on threads that nobody knows of.
class PluginLibrary {
 public:
  // Each thing that can be wrong has its own code: `E_PLUGIN_LOAD`, `E_PLUGIN_ARCHITECTURE`,
  // `E_PLUGIN_SYMBOL_MISSING`, `E_PLUGIN_ABI_VERSION`.
  static Result<std::shared_ptr<const PluginLibrary>> load(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<std::string>& export_names() const { return names_; }
  [[nodiscard]] const gdn_export* find(std::string_view name) const;

 private:
  explicit PluginLibrary(const gdn_plugin& plugin);

  const gdn_plugin& plugin_;  // lives for ever, as the interface demands
  std::vector<std::string> names_;
};

// Whether a plugin's description keeps the rules of the interface. `path` is for the messages.
Result<void> check_plugin(const gdn_plugin* plugin, const std::filesystem::path& path);

}  // namespace goondan
