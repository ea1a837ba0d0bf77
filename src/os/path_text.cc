#include "os/path_text.h"

#include "base/utf8.h"

namespace goondan::os {
namespace {

// Of a path in a message, in code points; longer ones keep their end, which tells more.
constexpr std::size_t kMaxShown = 240;

void append_part(std::string& path, std::string_view part) {
  if (part.empty() || part == ".") return;
  if (part == "..") {
    path.erase(path.empty() ? 0 : path.rfind('/'));
    return;
  }
  path += '/';
  path += part;
}

void append_parts(std::string& path, std::string_view parts) {
  while (!parts.empty()) {
    const std::size_t slash = parts.find('/');
    append_part(path, parts.substr(0, slash));
    if (slash == std::string_view::npos) return;
    parts.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string normal_path(std::string_view base, std::string_view path) {
  std::string normal;
  if (!path.starts_with('/')) append_parts(normal, base);
  append_parts(normal, path);
  return normal.empty() ? "/" : normal;
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string below(std::string_view path, std::string_view folder) {
  path.remove_prefix(folder == "/" ? 0 : folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path.empty() ? "." : std::string(path);
}

SplitPath split_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {.folder = ".", .name = std::string(path)};
  return {.folder = std::string(path.substr(0, std::max<std::size_t>(slash, 1))),
          .name = std::string(path.substr(slash + 1))};
}

std::string quoted_path(std::string_view path) {
  std::string shown = utf8::repaired(path);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = '?';
  }
  const std::size_t length = utf8::length(shown);
  if (length > kMaxShown) {
    shown.erase(0, utf8::prefix(shown, length - kMaxShown).size());
    shown.insert(0, "...");
  }
  return "'" + shown + "'";
}

}  // namespace goondan::os
