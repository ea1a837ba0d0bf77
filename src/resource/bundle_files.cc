#include "resource/bundle_files.h"

#include <algorithm>
#include <system_error>

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxListed = 200;

}  // namespace

bool is_beneath(const fs::path& root, const fs::path& path) {
  return std::ranges::mismatch(root, path).in1 == root.end();
}

BundleFiles::Found DiskFiles::look(const std::string& path) const {
  std::error_code failure;
  const fs::path real = fs::canonical(root_ / path, failure);
  if (failure) {
    // Where it would be, links followed as far as they lead.
    const fs::path would_be = fs::weakly_canonical(root_ / path, failure);
    return failure || is_beneath(root_, would_be) ? Found::Missing : Found::Outside;
  }
  if (!is_beneath(root_, real)) return Found::Outside;
  return fs::is_regular_file(real, failure) ? Found::File : Found::NotAFile;
}

std::vector<std::string> DiskFiles::list(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code failure;
  const fs::path real = fs::canonical(root_ / folder, failure);
  if (failure || !is_beneath(root_, real)) return names;
  for (fs::directory_iterator it(real, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (names.size() >= kMaxListed) break;
    names.push_back(it->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace goondan
