#include "resource/source_files.h"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "resource/bundle_files.h"
#include "resource/file_read.h"
#include "resource/file_walk.h"
#include "resource/limits.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

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
  for (const fs::path& relative : find_resource_files(folder.root, diagnostics)) {
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
