#include <system_error>

#include "model/scripted_reader.h"
#include "resource/bundle_files.h"
#include "resource/file_read.h"
#include "resource/limits.h"

namespace goondan::scripted {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAdvice =
    "Let `spec.model` be the path of a YAML file, from the bundle's folder, e.g. `./script.yaml`.";

// The path inside the bundle; nothing if it leads elsewhere.
std::optional<std::string> inside(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  const fs::path normal = fs::path(path).lexically_normal();
  if (normal.is_absolute() || *normal.begin() == "..") return std::nullopt;
  return normal.generic_string();
}

}  // namespace

std::optional<SourceFile> open_script(const fs::path& bundle_root, const std::string& path,
                                      Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message, std::string suggestion) {
    diagnostics.file_error(path, ErrorCode::Script, std::move(message), std::move(suggestion));
    return std::nullopt;
  };
  if (path.empty()) return refuse("the scripted model has no script", std::string(kAdvice));
  const std::optional<std::string> name = inside(path);
  std::error_code failed;
  const fs::path root = fs::canonical(bundle_root, failed);
  if (failed) return refuse("the bundle's folder cannot be read", "");
  const auto found = name ? DiskFiles(root).look(*name) : BundleFiles::Found::Outside;
  if (found == BundleFiles::Found::Outside) {
    return refuse("the script is not inside the bundle", "Copy it into the bundle.");
  }
  if (found != BundleFiles::Found::File)
    return refuse("there is no such script", std::string(kAdvice));
  Result<std::string> text = read_regular_file(root / *name, kMaxFileBytes);
  if (!text.ok()) return refuse(text.error().message, text.error().suggestion);
  return SourceFile{.name = *name, .text = std::move(*text)};
}

}  // namespace goondan::scripted
