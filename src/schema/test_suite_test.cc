// The official JSON Schema test suite, draft 2020-12, from `tests/data/json-schema-test-suite`.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "schema/schema.h"

namespace goondan {
namespace {

const std::filesystem::path kSuite =
    std::filesystem::path(GDN_TEST_DATA) / "json-schema-test-suite";

Json load(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return parse_json(text).value();
}

// Serves the folder `remotes` as the suite wants it: as if it were the root of this server.
std::optional<Json> find_remote(std::string_view uri) {
  constexpr std::string_view kServer = "http://localhost:1234/";
  if (!uri.starts_with(kServer)) return std::nullopt;
  const auto path = kSuite / "remotes" / uri.substr(kServer.size());
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  return load(path);
}

struct Tally {
  std::size_t cases = 0;
  std::size_t passed = 0;
  std::vector<std::string> failures = {};
};

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const Json& object, const char* key) {
  return std::string(object.at(key).as_string());
}

void run_group(const Json& group, const std::string& file, Tally& tally) {
  const auto schema = Schema::compile(group.at("schema"), {.find_document = find_remote});
  for (const Json& test : group.at("tests").as_array()) {
    const std::string name =
        file + ": " + text_of(group, "description") + ": " + text_of(test, "description");
    const bool expected = test.at("valid").as_bool();
    ++tally.cases;
    if (!schema.ok()) {
      tally.failures.push_back(name + ": " + schema.error().message);
      continue;
    }
    const bool valid = (*schema)->valid(test.at("data"));
    const auto issues = (*schema)->check(test.at("data"));
    if (valid == expected && issues.empty() == expected) {
      ++tally.passed;
    } else {
      tally.failures.push_back(name + (issues.empty() ? "" : ": " + issues.front().message));
    }
  }
}

Tally run_folder(const std::filesystem::path& folder) {
  Tally tally;
  for (const auto& file : files_in(folder)) {
    const Json groups = load(file);
    for (const Json& group : groups.as_array())
      run_group(group, file.filename(), tally);
  }
  return tally;
}

TEST(JsonSchemaTestSuite, PassesEveryRequiredCase) {  // REQ: CALL-5
  const Tally tally = run_folder(kSuite / "tests" / "draft2020-12");
  std::printf("json-schema-test-suite: %zu of %zu required cases pass\n", tally.passed,
              tally.cases);
  for (const std::string& failure : tally.failures)
    ADD_FAILURE() << failure;
  EXPECT_GT(tally.cases, 1000u);
}

TEST(JsonSchemaTestSuite, SaysHowManyOptionalCasesPass) {
  const Tally tally = run_folder(kSuite / "tests" / "draft2020-12" / "optional");
  std::printf("json-schema-test-suite: %zu of %zu optional cases pass\n", tally.passed,
              tally.cases);
  for (const std::string& failure : tally.failures)
    std::printf("  not: %s\n", failure.c_str());
  EXPECT_GT(tally.cases, 0u);
}

}  // namespace
}  // namespace goondan
