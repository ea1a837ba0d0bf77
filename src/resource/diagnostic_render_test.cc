#include "resource/diagnostic_render.h"

#include <gtest/gtest.h>

#include "resource/test_bundle.h"

namespace goondan {
namespace {

BundleReport sample() {
  Diagnostic first{.code = ErrorCode::ConfigEntryNotFound,
                   .message = "the file `x` does not exist",
                   .suggestion = "Did you mean `y`?",
                   .position = {.file = "goondan.yaml", .line = 12, .column = 8},
                   .path = "goondan.yaml#0.spec.entry",
                   .source_line = "\t이름: x"};
  first.position.column = 6;
  Diagnostic second{.severity = Severity::Warning,
                    .code = ErrorCode::ConfigSwarmMissing,
                    .message = "50% more, a:b",
                    .position = {.file = "a,b:c.yaml"}};
  BundleReport report;
  report.diagnostics = {first, second};
  return report;
}

TEST(RenderText, ShowsLineCaretAndSuggestion) {
  EXPECT_EQ(render_text(sample(), Colour::No),
            "goondan.yaml:12:6: error: the file `x` does not exist [E_CONFIG_ENTRY_NOT_FOUND]\n"
            "   12 | \t이름: x\n"
            "      | \t      ^\n"
            "  suggestion: Did you mean `y`?\n"
            "a,b:c.yaml: warning: 50% more, a:b [E_CONFIG_SWARM_MISSING]\n"
            "1 error, 1 warning\n");
}

TEST(RenderText, UsesColourOnlyWhenAsked) {
  EXPECT_EQ(render_text(sample(), Colour::No).find('\x1b'), std::string::npos);
  EXPECT_NE(render_text(sample(), Colour::Yes).find("\x1b[1;31merror\x1b[0m"), std::string::npos);
}

TEST(RenderText, SaysSoWhenNothingIsWrong) {
  EXPECT_EQ(render_text({}, Colour::No), "no problems found\n");
}

TEST(RenderGithub, WritesOneEscapedCommandForEach) {
  EXPECT_EQ(render_github(sample()),
            "::error file=goondan.yaml,line=12,col=6,title=E_CONFIG_ENTRY_NOT_FOUND::the file `x` "
            "does not exist%0ADid you mean `y`?\n"
            "::warning file=a%2Cb%3Ac.yaml,title=E_CONFIG_SWARM_MISSING::50%25 more, a:b\n");
}

TEST(ReportJson, SeparatesErrorsFromWarnings) {
  const Json json = report_json(sample());
  EXPECT_FALSE(json.at("valid").as_bool());
  EXPECT_EQ(json.at("errors").as_array().size(), 1);
  EXPECT_EQ(json.at("warnings").at(0).at("code"), Json("E_CONFIG_SWARM_MISSING"));
}

TEST(ReportJson, IsValidWithWarningsUnlessStrict) {
  const BundleReport report = test::check_yaml(
      "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\n"
      "spec: {provider: x, model: y}\n");
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report_json(report).at("valid").as_bool());
  const Json strict = report_json(report, Strict::Yes);
  EXPECT_FALSE(strict.at("valid").as_bool());
  EXPECT_EQ(strict.at("errors").at(0).at("code"), Json("E_CONFIG_SWARM_MISSING"));
  EXPECT_EQ(strict.at("errors").at(0).at("severity"), Json("error"));
  EXPECT_FALSE(warnings_as_errors(report).ok());
}

}  // namespace
}  // namespace goondan
