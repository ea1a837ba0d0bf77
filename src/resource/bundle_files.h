// What a reader of YAML may ask about the other files of the bundle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace goondan {

// Paths are relative to the bundle, normalised, without `..`. Implementations are
// thread-compatible.
class BundleFiles {
 public:
  enum class Found {
    File,
    NotAFile,  // a folder, a device, ...
    Missing,
    Outside,  // a link leads out of the bundle
  };

  virtual ~BundleFiles() = default;
  [[nodiscard]] virtual Found look(const std::string& path) const = 0;
  // Names in a folder (empty: the bundle's own), for suggestions; not necessarily all.
  [[nodiscard]] virtual std::vector<std::string> list(const std::string& folder) const = 0;
};

// The files below a folder on disk. What it says may change before anyone opens the file; whoever
// opens it keeps to the bundle on its own.
class DiskFiles final : public BundleFiles {
 public:
  // `root` is canonical.
  explicit DiskFiles(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] Found look(const std::string& path) const override;
  [[nodiscard]] std::vector<std::string> list(const std::string& folder) const override;

 private:
  std::filesystem::path root_;
};

// Whether `path` is `root` or below it. Both canonical.
bool is_beneath(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace goondan
