#include "resource/source_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "resource/bundle_files.h"
#include "resource/file_read.h"
#include "resource/limits.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMainFile = "goondan.yaml";
constexpr std::string_view kMainFileShort = "goondan.yml";

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

bool is_main_file(const fs::path& name) {
  return name == kMainFile || name == kMainFileShort;
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
      if (++seen_ > kMaxFolderEntries || found_.size() >= kMaxFiles) stopped_ = true;
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
      found_.push_back(path);
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

Result<std::string> read_inside(const fs::path& root, const fs::path& relative) {
  std::error_code failure;
  const fs::path real = fs::canonical(root / relative, failure);
  if (failure) {
    return Error{.code = ErrorCode::ConfigFileUnreadable,
                 .message = "the file cannot be read: " + failure.message(),
                 .suggestion = "Check that it is a file and that you may read it."};
  }
  if (!is_beneath(root, real)) {
    return Error{.code = ErrorCode::ConfigFileUnreadable,
                 .message = "the file is a link that leads out of the bundle",
                 .suggestion = "Copy it into the bundle."};
  }
  return read_regular_file(real, kMaxFileBytes);
}

void read_files(BundleFolder& folder, Diagnostics& diagnostics) {
  std::size_t total = 0;
  for (const fs::path& relative : Walk(folder.root, diagnostics).run()) {
    std::string name = utf8::repaired(relative.generic_string());
    Result<std::string> text = read_inside(folder.root, relative);
    if (!text) {
      diagnostics.file_error(name, text.error().code, text.error().message,
                             text.error().suggestion);
      continue;
    }
    total += text->size();
    if (total > kMaxBundleBytes) {
      diagnostics.file_error(name, ErrorCode::ConfigFileTooLarge,
                             "the YAML files of the bundle have more than " +
                                 std::to_string(kMaxBundleBytes) + " bytes together",
                             "Split the bundle.");
      return;
    }
    folder.files.push_back({.name = std::move(name), .text = std::move(text).value()});
  }
}

std::string shown(const fs::path& path) {
  return in_backticks(path.string());
}

void report_no_main_file(const fs::path& root, Diagnostics& diagnostics) {
  const std::vector<std::string> names = DiskFiles(root).list("");
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view like = nearest(kMainFile, views);
  diagnostics.file_error("", ErrorCode::ConfigFileNotFound,
                         "there is no `goondan.yaml` in " + shown(root),
                         like.empty() ? "Run `gdn init` to make a bundle, or name its folder."
                                      : "Rename " + in_backticks(like) + " to `goondan.yaml`.");
}

// The canonical folder of the bundle that `path` names.
std::optional<fs::path> find_root(const fs::path& path, Diagnostics& diagnostics) {
  std::error_code failure;
  const fs::path real = fs::canonical(path, failure);
  if (failure) {
    const bool missing = failure == std::errc::no_such_file_or_directory;
    diagnostics.file_error(
        "", missing ? ErrorCode::ConfigFileNotFound : ErrorCode::ConfigFileUnreadable,
        "the bundle " + shown(path) +
            (missing ? " does not exist" : " cannot be read: " + failure.message()),
        missing ? "Name a folder with a `goondan.yaml`." : "Check its permissions.");
    return std::nullopt;
  }
  if (fs::is_directory(real, failure)) return real;
  if (is_main_file(path.filename())) {
    // A link to the file does not move the bundle.
    return fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), failure);
  }
  diagnostics.file_error("", ErrorCode::ConfigFileUnreadable,
                         shown(path) + " is a file, but not a `goondan.yaml`",
                         "Name a folder with a `goondan.yaml`.");
  return std::nullopt;
}

bool has_main_file(const fs::path& root, Diagnostics& diagnostics) {
  std::error_code failure;
  for (const std::string_view name : {kMainFile, kMainFileShort}) {
    if (fs::symlink_status(root / name, failure).type() != fs::file_type::not_found && !failure) {
      return true;
    }
  }
  const bool denied = failure == std::errc::permission_denied;
  if (denied) {
    diagnostics.file_error("", ErrorCode::ConfigFileUnreadable,
                           "the folder " + shown(root) + " cannot be read: " + failure.message(),
                           "Check its permissions.");
  } else {
    report_no_main_file(root, diagnostics);
  }
  return false;
}

}  // namespace

std::optional<BundleFolder> read_bundle_folder(const fs::path& path, Diagnostics& diagnostics) {
  std::optional<fs::path> root = find_root(path, diagnostics);
  if (!root || !has_main_file(*root, diagnostics)) return std::nullopt;
  BundleFolder folder{.root = std::move(*root)};
  read_files(folder, diagnostics);
  return folder;
}

}  // namespace goondan
