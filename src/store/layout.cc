#include "store/layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

#include "base/sha256.h"

namespace goondan::store {
namespace {

constexpr std::size_t kMaxName = 128;
constexpr std::size_t kHashDigits = 32;
constexpr std::size_t kBundleDigits = 8;

enum class Letters { Any, Lower };

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool allowed(char c, Letters letters) {
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-')
    return true;
  return letters == Letters::Any && c >= 'A' && c <= 'Z';
}

// Whether `name` could be one that got a hash. Such a name gets one itself, so that nobody can
// choose a key that is the folder of another.
bool looks_hashed(std::string_view name) {
  if (name.size() <= kHashDigits) return false;
  const std::string_view tail = name.substr(name.size() - kHashDigits);
  return name[name.size() - kHashDigits - 1] == '-' && std::ranges::all_of(tail, is_hex);
}

bool is_file_name(std::string_view name, Letters letters) {
  return !name.empty() && name.size() <= kMaxName && name.front() != '.' && name.front() != '-' &&
         std::ranges::all_of(name, [&](char c) { return allowed(c, letters); });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// What can be read of `name`, at most `limit` characters; runs of others become one `-`.
std::string readable(std::string_view name, Letters letters, std::size_t limit) {
  std::string text;
  for (const char original : name) {
    if (text.size() == limit) break;
    const char c = letters == Letters::Lower ? lower(original) : original;
    if (allowed(c, letters)) {
      text += c;
    } else if (!text.ends_with('-')) {
      text += '-';
    }
  }
  if (text.empty() || text.front() == '.' || text.front() == '-') text.insert(0, 1, '_');
  return text;
}

std::string file_name(std::string_view name, Letters letters) {
  if (is_file_name(name, letters) && !looks_hashed(name)) return std::string(name);
  const std::string start = readable(name, letters, kMaxName - kHashDigits - 2);
  return start + "-" + sha256_hex(name, kHashDigits);
}

// The folder, however it is written.
std::string true_path(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::path path = std::filesystem::weakly_canonical(folder, failed);
  if (failed) path = folder.lexically_normal();
  std::string text = path.string();
  while (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  return text;
}

std::string home() {
  const char* variable = std::getenv("HOME");
  if (variable != nullptr && *variable != '\0') return variable;
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 &&
      found != nullptr && found->pw_dir != nullptr)
    return found->pw_dir;
  return "/";
}

std::filesystem::path full_path(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return (failed ? path : full).lexically_normal();
}

}  // namespace

std::filesystem::path state_root(std::string_view given) {
  if (!given.empty()) return full_path(given);
  const char* variable = std::getenv("GOONDAN_STATE_ROOT");
  if (variable != nullptr && *variable != '\0') return full_path(variable);
  return full_path(std::filesystem::path(home()) / ".goondan");
}

std::string workspace_name(std::string_view swarm, std::string_view instance_key,
                           const std::filesystem::path& bundle_root) {
  if (!instance_key.empty() && instance_key != swarm)
    return file_name(instance_key, Letters::Lower);
  const std::string bundle = sha256_hex(true_path(bundle_root), kBundleDigits);
  return file_name(std::string(swarm) + "-" + bundle, Letters::Lower);
}

std::filesystem::path workspace_folder(const std::filesystem::path& root,
                                       std::string_view workspace) {
  // As `workspace_name` made it; whatever else somebody asks for does not lead elsewhere.
  return root / "workspaces" /
         (is_file_name(workspace, Letters::Lower) ? std::string(workspace)
                                                  : file_name(workspace, Letters::Lower));
}

std::filesystem::path instance_folder(const std::filesystem::path& workspace_folder,
                                      std::string_view agent, std::string_view instance_key) {
  return workspace_folder / "instances" / file_name(agent, Letters::Any) /
         file_name(instance_key, Letters::Any);
}

std::filesystem::path mcp_pins_file(const std::filesystem::path& root) {
  return root / "mcp-pins.json";
}

std::filesystem::path oauth_folder(const std::filesystem::path& root) {
  return root / "oauth";
}

std::filesystem::path changeset_folder(const std::filesystem::path& root,
                                       std::string_view workspace) {
  return root / "worktrees" / workspace / "changesets";
}

}  // namespace goondan::store
