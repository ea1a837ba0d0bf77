#include "host/native/plugin_library.h"

#include <cstring>
#include <dlfcn.h>
#include <set>

#include "host/native/elf_check.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxNameBytes = 200;

using Entry = const gdn_plugin* (*)();

Error load_error(const std::filesystem::path& path, std::string_view problem) {
  return {.code = ErrorCode::PluginLoad,
          .message = "plugin '" + path.string() + "' " + std::string(problem),
          .suggestion = "Build it against this version's goondan/plugin.h."};
}

Result<void*> open_library(const std::filesystem::path& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* const reason = ::dlerror();
  return Error{.code = ErrorCode::PluginLoad,
               .message = "plugin '" + path.string() + "' could not be loaded: " +
                          (reason == nullptr ? "unknown reason" : reason),
               .suggestion = "See what it lacks with `ldd -r " + path.string() + "`."};
}

Result<Entry> find_entry(void* library, const std::filesystem::path& path) {
  void* const symbol = ::dlsym(library, GDN_PLUGIN_ENTRY_NAME);
  if (symbol != nullptr) return reinterpret_cast<Entry>(symbol);
  return Error{.code = ErrorCode::PluginSymbolMissing,
               .message = "'" + path.string() +
                          "' is a shared library, but no plugin: it does not export "
                          "'" GDN_PLUGIN_ENTRY_NAME "'",
               .suggestion = "Add GDN_PLUGIN({\"name\", function}) of goondan/plugin.h."};
}

// Reads nothing but the beginning that every version has.
Result<void> check_version(const gdn_plugin* plugin, const std::filesystem::path& path) {
  if (plugin == nullptr) return load_error(path, "describes itself with a null pointer");
  if (plugin->size < offsetof(gdn_plugin, export_count)) {
    return load_error(path, "describes itself too shortly");
  }
  if (plugin->abi_version == GDN_ABI_VERSION) return {};
  return Error{.code = ErrorCode::PluginAbiVersion,
               .message = "plugin '" + path.string() + "' was built for ABI version " +
                          std::to_string(plugin->abi_version) + ", this program has version " +
                          std::to_string(GDN_ABI_VERSION),
               .suggestion = "Build the plugin again with this version's goondan/plugin.h."};
}

Result<void> check_export(const gdn_export* exported, std::set<std::string_view>& names,
                          const std::filesystem::path& path) {
  if (exported == nullptr) return load_error(path, "has a null pointer among its exports");
  if (exported->size < sizeof(gdn_export)) {
    return load_error(path, "describes an export too shortly");
  }
  if (exported->name == nullptr || *exported->name == '\0') {
    return load_error(path, "has an export without a name");
  }
  if (::strnlen(exported->name, kMaxNameBytes + 1) > kMaxNameBytes) {
    return load_error(path, "has an export with too long a name");
  }
  const std::string name(exported->name);
  if (exported->invoke == nullptr) {
    return load_error(path, "has no function for the export '" + name + "'");
  }
  if (!names.insert(exported->name).second) {
    return load_error(path, "has the export '" + name + "' twice");
  }
  return {};
}

}  // namespace

Result<void> check_plugin(const gdn_plugin* plugin, const std::filesystem::path& path) {
  GDN_TRY(check_version(plugin, path));
  if (plugin->size < sizeof(gdn_plugin)) return load_error(path, "describes itself too shortly");
  if (plugin->export_count > kMaxPluginExports) {
    return load_error(path, "has " + std::to_string(plugin->export_count) +
                                " exports; the limit is " + std::to_string(kMaxPluginExports));
  }
  if (plugin->export_count > 0 && plugin->exports == nullptr) {
    return load_error(path, "announces exports but has no list of them");
  }
  std::set<std::string_view> names;
  for (std::uint32_t i = 0; i < plugin->export_count; ++i)
    GDN_TRY(check_export(plugin->exports[i], names, path));
  return {};
}

Result<std::shared_ptr<const PluginLibrary>> PluginLibrary::load(
    const std::filesystem::path& path) {
  GDN_TRY(check_elf(path));
  void* const library = GDN_TRY(open_library(path));
  const Entry entry = GDN_TRY(find_entry(library, path));
  const gdn_plugin* const plugin = entry();
  GDN_TRY(check_plugin(plugin, path));
  return std::shared_ptr<const PluginLibrary>(new PluginLibrary(*plugin));
}

PluginLibrary::PluginLibrary(const gdn_plugin& plugin) : plugin_(plugin) {
  for (std::uint32_t i = 0; i < plugin.export_count; ++i)
    names_.emplace_back(plugin.exports[i]->name);
}

const gdn_export* PluginLibrary::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return plugin_.exports[i];
  }
  return nullptr;
}

}  // namespace goondan
