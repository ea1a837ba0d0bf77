#include "resource/diagnostics.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "resource/limits.h"
#include "resource/test_bundle.h"

namespace goondan {
namespace {

const SourceText& sample() {
  static const SourceText kText({.name = "b.yaml", .text = "one\ntwo\nthree\n"});
  return kText;
}

Spot at(std::size_t offset) {
  return {.source = sample(), .document_index = 2, .offset = offset, .path = ".spec"};
}

TEST(Diagnostics, FillsInFileLineColumnPathAndLine) {
  Diagnostics diagnostics;
  diagnostics.error(at(5), ErrorCode::ConfigSchemaInvalid, "wrong", "mend it");
  const std::vector<Diagnostic> taken = std::move(diagnostics).take();
  ASSERT_EQ(taken.size(), 1);
  EXPECT_EQ(taken[0].position.file, "b.yaml");
  EXPECT_EQ(taken[0].position.line, 2);
  EXPECT_EQ(taken[0].position.column, 2);
  EXPECT_EQ(taken[0].path, "b.yaml#2.spec");
  EXPECT_EQ(taken[0].source_line, "two");
  EXPECT_EQ(
      to_text(taken[0].to_json()),
      R"({"severity":"error","code":"E_CONFIG_SCHEMA_INVALID","message":"wrong",)"
      R"("suggestion":"mend it","file":"b.yaml","line":2,"column":2,"path":"b.yaml#2.spec"})");
}

TEST(Diagnostics, SortsByFileLineAndColumn) {
  Diagnostics diagnostics;
  diagnostics.error(at(9), ErrorCode::Config, "4");
  diagnostics.warning(at(8), ErrorCode::Config, "3");
  diagnostics.error(at(0), ErrorCode::Config, "2");
  diagnostics.file_error("a.yaml", ErrorCode::Config, "1");
  std::string order;
  for (const Diagnostic& diagnostic : std::move(diagnostics).take())
    order += diagnostic.message;
  EXPECT_EQ(order, "1234");
}

TEST(Diagnostics, CountsARepeatedOneOnce) {
  Diagnostics diagnostics;
  for (int i = 0; i < 3; ++i)
    diagnostics.error(at(0), ErrorCode::Config, "same");
  EXPECT_EQ(diagnostics.errors(), 1);
}

TEST(Diagnostics, ShowsErrorsBeforeWarningsAndSaysHowManyAreLeft) {
  Diagnostics diagnostics;
  for (int i = 0; i < 5000; ++i)
    diagnostics.file_warning("a" + std::to_string(i), ErrorCode::Config, "warning");
  for (int i = 0; i < 10; ++i)
    diagnostics.file_error("z" + std::to_string(i), ErrorCode::Config, "error");
  const std::vector<Diagnostic> taken = std::move(diagnostics).take();
  ASSERT_EQ(taken.size(), kMaxDiagnostics + 1);
  EXPECT_EQ(std::ranges::count(taken, Severity::Error, &Diagnostic::severity), 10);
  EXPECT_EQ(taken.back().message, "4810 more problems are not shown");
  EXPECT_EQ(taken.back().severity, Severity::Warning);
}

TEST(Diagnostics, KeepsAHiddenErrorAnError) {
  Diagnostics diagnostics;
  for (int i = 0; i < 201; ++i)
    diagnostics.file_error(std::to_string(i), ErrorCode::Config, "error");
  const std::vector<Diagnostic> taken = std::move(diagnostics).take();
  EXPECT_EQ(taken.back().message, "1 more problem is not shown");
  EXPECT_EQ(taken.back().severity, Severity::Error);
}

TEST(Diagnostics, StayBoundedForABundleFullOfMistakes) {
  std::string fields;
  for (int i = 0; i < 40'000; ++i)
    fields += "  f" + std::to_string(i) + ": 1\n";
  const BundleReport report = test::check_yaml(
      "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\nspec:\n" + fields);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.diagnostics.size(), kMaxDiagnostics + 1);
}

}  // namespace
}  // namespace goondan
