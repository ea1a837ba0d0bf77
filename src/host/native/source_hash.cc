#include "host/native/source_hash.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace goondan {
namespace {

namespace fs = std::filesystem;

// FNV-1a.
class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes)
      mix(static_cast<unsigned char>(byte));
    // The length, so that the border between two pieces counts.
    for (std::uint64_t size = bytes.size(), i = 0; i < sizeof size; ++i, size >>= 8)
      mix(static_cast<unsigned char>(size));
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void mix(unsigned char byte) {
    value_ ^= byte;
    value_ *= 0x100000001B3;
  }

  std::uint64_t value_ = 0xCBF29CE484222325;
};

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 11> kEndings{".c",   ".cc",  ".cpp", ".cxx", ".h",  ".hh",
                                                      ".hpp", ".hxx", ".inc", ".ipp", ".tpp"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

Error too_much(const fs::path& folder) {
  return {.code = ErrorCode::PluginBuild,
          .message = "'" + folder.string() + "' holds more than " +
                     std::to_string(kMaxSourceFiles) + " source files or " +
                     std::to_string(kMaxSourceBytes >> 20) + " MiB of them",
          .suggestion = "Put the plugin's sources into a folder of their own."};
}

Result<std::vector<fs::path>> find_sources(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  fs::recursive_directory_iterator at(folder, problem);
  for (const fs::recursive_directory_iterator end; !problem && at != end; at.increment(problem)) {
    if (at->path().filename().string().starts_with('.')) at.disable_recursion_pending();
    std::error_code ignored;
    if (!is_source(at->path()) || !at->is_regular_file(ignored)) continue;
    files.push_back(at->path());
    if (files.size() > kMaxSourceFiles) return too_much(folder);
  }
  if (problem) {
    return Error{.code = ErrorCode::Io,
                 .message = "cannot list '" + folder.string() + "': " + problem.message()};
  }
  std::ranges::sort(files);
  return files;
}

Result<std::string> read_source(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad() || !in.is_open()) {
    return Error{.code = ErrorCode::Io, .message = "cannot read '" + path.string() + "'"};
  }
  return text;
}

}  // namespace

Result<std::uint64_t> hash_sources(const fs::path& folder, std::string_view salt) {
  const std::vector<fs::path> files = GDN_TRY(find_sources(folder));
  Hash hash;
  hash.add(salt);
  std::size_t sum = 0;
  for (const fs::path& file : files) {
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(file, ignored);
    if (size > kMaxSourceBytes - sum) return too_much(folder);
    sum += size;
    const std::string text = GDN_TRY(read_source(file));
    hash.add(file.lexically_relative(folder).string());
    hash.add(text);
  }
  return hash.value();
}

}  // namespace goondan
