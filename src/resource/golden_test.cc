// Every folder in `tests/golden/validate` is a bundle; `expected.txt` in it is what people are
// told about it. `GDN_UPDATE_GOLDEN=1` rewrites the expectations.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gtest/gtest.h>

#include "resource/diagnostic_render.h"
#include "resource/test_folder.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(GDN_TEST_DATA) / ".." / "golden" / "validate";
constexpr std::string_view kExpected = "expected.txt";

constexpr std::string_view kModel =
    "apiVersion: goondan.ai/v1\n"
    "kind: Model\n"
    "metadata: { name: m }\n"
    "spec: { provider: x, model: y }\n";

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

std::string in_options(const std::string& value) {
  return "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: { name: m }\nspec:\n  provider: x\n"
         "  model: y\n  options: { a: " +
         value + " }\n";
}

// What cannot lie in the repository as a file: made when the test runs.
using Prepare = std::function<void(const test::TestFolder&)>;

const std::map<std::string, Prepare>& preparations() {
  static const std::map<std::string, Prepare> kPreparations{
      {"valid_split_over_files",
       [](const auto& folder) { folder.write("node_modules/x/tool.yaml", "not: [read"); }},
      {"valid_compiled_typescript",
       [](const auto& folder) { folder.write("dist/src/tools/a.js", "\n"); }},
      {"parse_binary",
       [](const auto& folder) {
         folder.write("goondan.yaml", std::string_view("\x7f"
                                                       "ELF\x02\x01\x01\0\0\0",
                                                       10));
       }},
      {"parse_not_utf8",
       [](const auto& folder) { folder.write("goondan.yaml", "kind: Tool\nname: caf\xe9\n"); }},
      {"parse_control_character",
       [](const auto& folder) { folder.write("goondan.yaml", "kind: Tool\nname: a\x1b[31mb\n"); }},
      {"too_deep",
       [](const auto& folder) {
         folder.write("goondan.yaml", in_options(repeated("[", 100) + repeated("]", 100)));
         folder.write("models.yaml", repeated("[", 200'000));
         folder.write("tool.yaml", repeated("- ", 200'000));
       }},
      {"too_large",
       [](const auto& folder) {
         folder.write("goondan.yaml", repeated("# ten bytes\n", 900'000));
       }},
      {"too_many_documents",
       [](const auto& folder) {
         folder.write("goondan.yaml",
                      repeated("---\n", 50) + std::string(kModel) + repeated("---\n", 51));
       }},
      {"alias_of_a_large_text",
       [](const auto& folder) {
         folder.write("goondan.yaml", in_options("&a " + repeated("x", 500'000)) +
                                          "  capabilities: [*a, *a, *a, *a]\n");
       }},
      {"bundle_missing", [](const auto& folder) { fs::remove(folder.path()); }},
      {"main_file_is_a_folder",
       [](const auto& folder) { fs::create_directory(folder.path() / "goondan.yaml"); }},
      {"main_file_is_a_pipe",
       [](const auto& folder) { ::mkfifo((folder.path() / "goondan.yaml").c_str(), 0600); }},
      {"main_file_is_a_link_out",
       [](const auto& folder) {
         fs::create_symlink("/etc/passwd", folder.path() / "goondan.yaml");
       }},
      {"main_file_is_a_dangling_link",
       [](const auto& folder) { fs::create_symlink("nowhere", folder.path() / "goondan.yaml"); }},
      {"entry_is_a_link_out",
       [](const auto& folder) {
         fs::create_symlink("/etc/passwd", folder.path() / "link.ts");
         fs::create_directory_symlink("/etc", folder.path() / "folder");
         fs::create_symlink("t.ts", folder.path() / "inside.ts");
       }},
  };
  return kPreparations;
}

// The bundle of a case, copied to where it may be changed.
void copy_case(const fs::path& from, const test::TestFolder& folder) {
  fs::copy(from, folder.path(), fs::copy_options::recursive);
  fs::remove(folder.path() / kExpected);
  const auto prepare = preparations().find(from.filename().string());
  if (prepare != preparations().end()) prepare->second(folder);
}

std::string without_path(std::string text, const std::string& path) {
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    text.replace(at, path.size(), "<bundle>");
  }
  return text;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCases)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

class ValidateGolden : public testing::TestWithParam<std::string> {};

// REQ: RES-13
TEST_P(ValidateGolden, SaysWhatIsExpected) {
  const test::TestFolder folder;
  copy_case(kCases / GetParam(), folder);
  const fs::path bundle =
      GetParam() == "bundle_is_a_file" ? folder.path() / "notes.txt" : folder.path();

  const BundleReport report = Bundle::check(bundle);
  const std::string text = without_path(render_text(report, Colour::No), folder.path().string());

  const fs::path expected = kCases / GetParam() / kExpected;
  if (std::getenv("GDN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << text;
  }
  EXPECT_EQ(text, test::read_file(expected));
}

INSTANTIATE_TEST_SUITE_P(Cases, ValidateGolden, testing::ValuesIn(case_names()),
                         [](const auto& test_case) { return test_case.param; });

}  // namespace
}  // namespace goondan
