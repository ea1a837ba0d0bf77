#include "resource/file_walk.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "resource/limits.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kSkippedFolders{"dist", "node_modules", ".git",
                                                          ".goondan", "build"};

constexpr std::array<std::string_view, 16> kBaseNames{
    "goondan",     "model",     "models",     "agent",     "agents",     "tool",
    "tools",       "extension", "extensions", "connector", "connectors", "connection",
    "connections", "swarm",     "swarms",     "resources"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool holds_resources(const fs::path& name) {
  const std::string extension = name.extension().string();
  if (extension != ".yaml" && extension != ".yml") return false;
  return std::ranges::find(kBaseNames, name.stem().string()) != kBaseNames.end();
}

bool is_skipped(const fs::path& name) {
  return std::ranges::find(kSkippedFolders, lower(name.string())) != kSkippedFolders.end();
}

// Collects the relative paths of the files that hold resources.
class Walk {
 public:
  Walk(const fs::path& root, Diagnostics& diagnostics) : root_(root), diagnostics_(diagnostics) {}

  std::vector<fs::path> run() {
    visit(fs::path(), 0);
    std::ranges::sort(found_, [](const fs::path& a, const fs::path& b) {
      const auto key = [](const fs::path& path) {
        return std::pair(!is_main_file(path), path.generic_string());
      };
      return key(a) < key(b);
    });
    if (stopped_) {
      diagnostics_.file_error("", ErrorCode::Limit, "the folder holds too much to be a bundle",
                              "Give the bundle a folder of its own.");
    }
    return std::move(found_);
  }

 private:
  // Recursion ends at `kMaxFolderDepth`.
  void visit(const fs::path& folder, std::size_t depth) {
    if (depth > kMaxFolderDepth) {
      diagnostics_.file_warning(name_of(folder), ErrorCode::Limit,
                                "folders this deep are not searched",
                                "Move the resources further up.");
      return;
    }
    std::error_code failure;
    for (fs::directory_iterator it(root_ / folder, failure), end; !failure && it != end;
         it.increment(failure)) {
      if (++seen_ > kMaxFolderEntries) stopped_ = true;
      if (stopped_) return;
      enter(*it, folder / it->path().filename(), depth);
    }
    if (failure) {
      diagnostics_.file_warning(name_of(folder), ErrorCode::ConfigFileUnreadable,
                                "the folder cannot be read: " + failure.message());
    }
  }

  void enter(const fs::directory_entry& entry, const fs::path& path, std::size_t depth) {
    std::error_code failure;
    if (holds_resources(path.filename())) {
      stopped_ = found_.size() == kMaxFiles;
      if (!stopped_) found_.push_back(path);
    } else if (!entry.is_symlink(failure) && entry.is_directory(failure) &&
               !is_skipped(path.filename())) {
      visit(path, depth + 1);
    }
  }

  static std::string name_of(const fs::path& path) { return utf8::repaired(path.generic_string()); }

  const fs::path& root_;
  Diagnostics& diagnostics_;
  std::vector<fs::path> found_;
  std::size_t seen_ = 0;
  bool stopped_ = false;
};

}  // namespace

bool is_main_file(const fs::path& name) {
  return name == kMainFile || name == kMainFileShort;
}

std::vector<fs::path> find_resource_files(const fs::path& root, Diagnostics& diagnostics) {
  return Walk(root, diagnostics).run();
}

}  // namespace goondan
