#include "agent/fingerprint.h"

#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "host/native/source_hash.h"
#include "host/script/script_host.h"
#include "model/scripted.h"
#include "resource/file_read.h"
#include "resource/limits.h"
#include "schema/text_hash.h"

namespace goondan::agent {
namespace {

// Of one file behind an entry. A larger one is told apart by its size and time.
constexpr std::size_t kMaxHashedFile = std::size_t{64} << 20;

// Beside one script; more do not count.
constexpr std::size_t kMaxModules = 500;

class Hash {
 public:
  void add(std::string_view text) {
    value_ = schema::hash_mix(value_, schema::hash_text(text, value_));
  }
  void add(std::uint64_t number) { value_ = schema::hash_mix(value_, number); }
  [[nodiscard]] std::string text() const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
      digits += kDigits[(value_ >> shift) & 0xF];
    return digits;
  }

 private:
  std::uint64_t value_ = 0;
};

void add_file(Hash& hash, const std::filesystem::path& path) {
  const Result<std::string> text = read_regular_file(path, kMaxHashedFile);
  if (text.ok()) return hash.add(*text);
  std::error_code ignored;
  hash.add(std::filesystem::file_size(path, ignored));
  const auto changed = std::filesystem::last_write_time(path, ignored).time_since_epoch();
  hash.add(static_cast<std::uint64_t>(changed.count()));
}

bool is_source(std::string_view entry) {
  constexpr std::array<std::string_view, 3> kEndings{".cc", ".cpp", ".cxx"};
  return std::ranges::any_of(kEndings, [entry](auto ending) { return entry.ends_with(ending); });
}

// The modules beside a script, which it may import. Not what a package manager has put there.
void add_modules(Hash& hash, const std::filesystem::path& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> modules;
  auto found = std::filesystem::recursive_directory_iterator(folder, failed);
  for (; !failed && found != std::filesystem::recursive_directory_iterator();
       found.increment(failed)) {
    const std::string name = found->path().filename().string();
    if (name == "node_modules" || name.starts_with(".")) found.disable_recursion_pending();
    if (is_script_entry(name) && found->is_regular_file(failed)) modules.push_back(found->path());
    if (modules.size() >= kMaxModules) break;
  }
  std::ranges::sort(modules);
  for (const std::filesystem::path& module : modules)
    add_file(hash, module);
}

void add_entry(Hash& hash, const Bundle& bundle, const std::string& name) {
  const std::filesystem::path entry = bundle.root() / name;
  add_file(hash, entry);
  if (is_script_entry(name)) return add_modules(hash, entry.parent_path());
  if (!is_source(name)) return;
  // What the source includes counts as well.
  const Result<std::uint64_t> sources = hash_sources(entry.parent_path(), "");
  if (sources.ok()) hash.add(*sources);
}

void add_tool(Hash& hash, const Bundle& bundle, const ToolResource& tool) {
  hash.add(to_text(tool.meta.document));
  add_entry(hash, bundle, tool.entry);
}

void add_extension(Hash& hash, const Bundle& bundle, const ExtensionResource& extension) {
  hash.add(to_text(extension.meta.document));
  if (!extension.entry.empty()) add_entry(hash, bundle, extension.entry);
}

}  // namespace

std::string fingerprint(const FingerprintParts& parts) {
  Hash hash;
  hash.add(to_text(parts.agent.meta.document));
  hash.add(to_text(parts.model.meta.document));
  if (parts.model.provider == kScriptedProvider)
    add_file(hash, parts.bundle.root() / parts.model.model);
  hash.add(parts.prompt);
  for (const ObjectRef& ref : parts.agent.tools) {
    hash.add(ref.name);
    if (const ToolResource* tool = parts.bundle.find_tool(ref.name))
      add_tool(hash, parts.bundle, *tool);
  }
  for (const ExtensionUse& use : parts.agent.extensions) {
    if (const ExtensionResource* own = parts.bundle.find_extension(use.ref.name))
      add_extension(hash, parts.bundle, *own);
  }
  for (const OAuthAppResource& app : parts.bundle.oauth_apps())
    hash.add(to_text(app.meta.document));
  const JsonObject* spec = object_field(object_or_empty(parts.swarm.meta.document), "spec");
  hash.add(to_text(spec == nullptr ? Json(nullptr) : any_field(*spec, "policy")));
  return hash.text();
}

}  // namespace goondan::agent
