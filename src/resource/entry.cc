#include "resource/entry.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "resource/field_values.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

// A plugin or its source, JavaScript or TypeScript.
constexpr std::array<std::string_view, 10> kEntryEndings{".so",  ".cc",  ".cpp", ".cxx", ".ts",
                                                         ".mts", ".cts", ".js",  ".mjs", ".cjs"};

std::string normal(const fs::path& path) {
  return path.lexically_normal().generic_string();
}

std::string with_extension(const std::string& path, std::string_view extension) {
  return fs::path(path).replace_extension(extension).generic_string();
}

void outside(const Place& place, std::string message, Diagnostics& diagnostics) {
  diagnostics.error(place.spot(), ErrorCode::ConfigEntryOutsideBundle, std::move(message),
                    "Copy the file into the bundle and give its path from there.");
}

// The normalised relative path of the text at `place`.
std::optional<std::string> relative_path(const Place& place, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text(place, diagnostics);
  if (!text) return std::nullopt;
  const bool blank = text->find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank || text->find('\0') != std::string::npos) {
    diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                      in_backticks(place.key->text) +
                          (blank ? " must not be empty" : " is not the path of a file"));
    return std::nullopt;
  }
  const fs::path path = fs::path(*text).lexically_normal();
  if (path.is_absolute()) {
    outside(place, "the path " + in_backticks(*text) + " is absolute", diagnostics);
    return std::nullopt;
  }
  if (*path.begin() == "..") {
    outside(place, "the path " + in_backticks(*text) + " leads out of the bundle", diagnostics);
    return std::nullopt;
  }
  return path.generic_string();
}

std::vector<std::string> entry_candidates(const std::string& path) {
  if (!path.ends_with(".ts")) return {path};
  std::vector<std::string> candidates;
  if (path.starts_with("src/")) candidates.push_back("dist/" + with_extension(path, ".js"));
  candidates.push_back(with_extension(path, ".js"));
  candidates.push_back(path);
  return candidates;
}

std::string source_suggestion(const std::string& path, const BundleFiles& files) {
  if (!path.ends_with(".so")) return {};
  for (const std::string_view extension : {".cc", ".cpp"}) {
    const std::string source = with_extension(path, extension);
    if (files.look(source) == BundleFiles::Found::File) {
      return "Use the source as the entry, " + in_backticks("./" + source) +
             ": it is built for you.";
    }
  }
  return {};
}

std::string missing_suggestion(const Place& place, const std::string& path,
                               const BundleFiles& files) {
  if (std::string source = source_suggestion(path, files); !source.empty()) return source;
  const std::string folder =
      fs::path(place.document->source->name()).parent_path().generic_string();
  const std::string beside = normal(fs::path(folder) / path);
  if (!folder.empty() && files.look(beside) == BundleFiles::Found::File) {
    return "Paths begin at the bundle's folder: write " + in_backticks("./" + beside) + ".";
  }
  const fs::path parent = fs::path(path).parent_path();
  const std::vector<std::string> names = files.list(parent.generic_string());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view like = nearest(fs::path(path).filename().string(), views);
  if (like.empty()) return "Create the file, or mend the path; it begins at the bundle's folder.";
  return "Did you mean " + in_backticks("./" + normal(parent / like)) + "?";
}

std::optional<std::string> find_first(const Place& place, const std::vector<std::string>& paths,
                                      const BundleFiles& files, Diagnostics& diagnostics) {
  for (const std::string& path : paths) {
    switch (files.look(path)) {
      case BundleFiles::Found::File:
        return path;
      case BundleFiles::Found::Outside:
        outside(place, "the path " + in_backticks(path) + " is a link that leads out of the bundle",
                diagnostics);
        return std::nullopt;
      case BundleFiles::Found::NotAFile:
        diagnostics.error(place.spot(), ErrorCode::ConfigEntryNotFound,
                          in_backticks(path) + " is not a file", "Give the path of a file.");
        return std::nullopt;
      case BundleFiles::Found::Missing:
        break;
    }
  }
  diagnostics.error(place.spot(), ErrorCode::ConfigEntryNotFound,
                    "the file " + in_backticks(place.node->text) + " does not exist",
                    missing_suggestion(place, paths.back(), files));
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_file(const Place& place, const BundleFiles& files,
                                      Diagnostics& diagnostics) {
  const std::optional<std::string> path = relative_path(place, diagnostics);
  return path ? find_first(place, {*path}, files, diagnostics) : std::nullopt;
}

std::optional<std::string> check_entry(const Place& place, const BundleFiles& files,
                                       Diagnostics& diagnostics) {
  const std::optional<std::string> path = relative_path(place, diagnostics);
  return path ? find_first(place, entry_candidates(*path), files, diagnostics) : std::nullopt;
}

void check_entry_kind(const Place& place, std::string_view entry, Diagnostics& diagnostics) {
  const auto ends = [entry](std::string_view ending) { return entry.ends_with(ending); };
  if (entry.empty() || std::ranges::any_of(kEntryEndings, ends)) return;
  diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                    "nothing is known about running " + in_backticks(entry),
                    "Let it end in `.so` or `.cc` for native code, `.ts` or `.js` for a script.");
}

}  // namespace goondan
