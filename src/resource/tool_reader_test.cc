#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resource/test_bundle.h"

namespace goondan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string tool(const std::string& spec) {
  return "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: t}\nspec:\n" + spec;
}

std::string first_tool(const std::string& spec) {
  return "apiVersion: agents.example.io/v1alpha1\nkind: Tool\nmetadata: {name: t}\nspec:\n" + spec;
}

// The codes of the errors and of the warnings, but for the missing swarm.
std::vector<std::string> problems(const BundleReport& report) {
  std::vector<std::string> lines = test::summary(report);
  std::erase(lines, "?E_CONFIG_SWARM_MISSING 0:0");
  return lines;
}

TEST(ToolReader, ReadsEveryField) {
  const BundleReport report = test::check_yaml(
      "apiVersion: goondan.ai/v1\n"
      "kind: Tool\n"
      "metadata: {name: files, labels: {tier: base}, annotations: {note: x}}\n"
      "spec:\n"
      "  entry: ./files.so\n"
      "  errorMessageLimit: 2000\n"
      "  isolation: inProcess\n"
      "  exports:\n"
      "    - name: read\n"
      "      description: Reads a file\n"
      "      parameters: {type: object, properties: {path: {type: string}}, required: [path]}\n"
      "    - name: write\n",
      {"files.so"});
  ASSERT_TRUE(report.ok());
  const ToolResource& read = *report.bundle->find_tool("files");
  EXPECT_EQ(read.meta.dialect, Dialect::V1);
  EXPECT_EQ(read.meta.kind, Kind::Tool);
  EXPECT_THAT(read.meta.labels, ElementsAre(std::pair("tier", "base")));
  EXPECT_THAT(read.meta.annotations, ElementsAre(std::pair("note", "x")));
  EXPECT_EQ(read.meta.document.at("spec").at("entry"), Json("./files.so"));
  EXPECT_EQ(read.entry, "files.so");
  EXPECT_EQ(read.error_message_limit, 2000);
  EXPECT_EQ(read.isolation, Isolation::InProcess);
  ASSERT_EQ(read.exports.size(), 2);
  EXPECT_EQ(read.exports[0].description, "Reads a file");
  EXPECT_EQ(read.exports[0].parameters->at("required").at(0), Json("path"));
  EXPECT_EQ(read.exports[1].description, std::nullopt);
  EXPECT_EQ(read.exports[1].parameters, std::nullopt);
}

// REQ: RES-9
TEST(ToolReader, LimitsErrorMessagesToAThousandCharactersByDefault) {
  const BundleReport report =
      test::check_yaml(tool("  entry: t.js\n  exports: [{name: x}]\n"), {"t.js"});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.bundle->tools().front().error_message_limit, 1000);
  EXPECT_EQ(report.bundle->tools().front().isolation, Isolation::Worker);
}

// REQ: NAME-1
TEST(ToolReader, JoinsToolAndExportToTheNameModelsSee) {
  const BundleReport report =
      test::check_yaml(tool("  entry: t.js\n  exports: [{name: only}]\n"), {"t.js"});
  const ToolResource& read = report.bundle->tools().front();
  EXPECT_EQ(read.visible_name(read.exports.front()), "t__only");
}

// REQ: NAME-3
TEST(ToolReader, KeepsTheDottedNameOfTheFirstDialect) {
  const BundleReport report = test::check_yaml(
      first_tool("  runtime: node\n  entry: t.js\n  exports: [{name: slack.post}]\n"), {"t.js"});
  ASSERT_TRUE(report.ok());
  const ToolResource& read = report.bundle->tools().front();
  EXPECT_EQ(read.meta.dialect, Dialect::V1Alpha1);
  EXPECT_EQ(read.visible_name(read.exports.front()), "slack.post");
}

// REQ: RES-12
TEST(ToolReader, ReadsTheAuthOfTheFirstDialect) {
  const BundleReport report = test::check_yaml(
      first_tool("  runtime: node\n"
                 "  entry: t.js\n"
                 "  auth: {oauthAppRef: {kind: OAuthApp, name: slack}, scopes: [a, b]}\n"
                 "  exports: [{name: x.y, auth: {scopes: [b]}}]\n"
                 "---\n"
                 "apiVersion: agents.example.io/v1alpha1\n"
                 "kind: OAuthApp\n"
                 "metadata: {name: slack}\n"
                 "spec:\n"
                 "  provider: slack\n"
                 "  flow: deviceCode\n"
                 "  subjectMode: user\n"
                 "  client: {clientId: {value: id}, clientSecret: {valueFrom: {env: S}}}\n"
                 "  endpoints: {tokenUrl: https://t, userInfoUrl: https://u,\n"
                 "    deviceAuthorizationUrl: https://d}\n"
                 "  scopes: [a, b, c]\n"
                 "  redirect: {callbackPath: /cb, baseUrl: https://b}\n"
                 "  options: {prompt: consent}\n"),
      {"t.js"});
  EXPECT_THAT(problems(report), IsEmpty());
  const ToolResource& read = report.bundle->tools().front();
  EXPECT_EQ(read.auth->oauth_app.text(), "OAuthApp/slack");
  EXPECT_THAT(read.auth->scopes, ElementsAre("a", "b"));
  EXPECT_THAT(read.exports.front().scopes, ElementsAre("b"));
  const OAuthAppResource& app = report.bundle->oauth_apps().front();
  EXPECT_EQ(app.flow, OAuthAppResource::Flow::DeviceCode);
  EXPECT_EQ(app.subject_mode, OAuthAppResource::SubjectMode::User);
  EXPECT_EQ(app.client_id.value, "id");
  EXPECT_EQ(app.client_secret->env, "S");
  EXPECT_EQ(app.endpoints.at("userInfoUrl"), "https://u");
  EXPECT_EQ(app.callback_path, "/cb");
  EXPECT_EQ(app.base_url, "https://b");
  EXPECT_EQ(app.options.at("prompt"), Json("consent"));
}

// REQ: RES-11
TEST(ToolReader, PointsAtTheLineWhereASchemaGoesWrong) {
  const BundleReport report = test::check_yaml(tool("  entry: t.js\n"
                                                    "  exports:\n"
                                                    "    - name: x\n"
                                                    "      parameters:\n"
                                                    "        type: object\n"
                                                    "        properties:\n"
                                                    "          a: {type: string}\n"
                                                    "          b:\n"
                                                    "            pattern: '['\n"),
                                               {"t.js"});
  EXPECT_THAT(problems(report), ElementsAre("E_CONFIG_PARAMETERS_INVALID 13:22"));
}

TEST(ToolReader, KnowsAPropertyNamedTypeFromAType) {
  const BundleReport report = test::check_yaml(
      tool("  entry: t.js\n"
           "  exports:\n"
           "    - name: x\n"
           "      parameters:\n"
           "        type: object\n"
           "        properties: {type: {type: [string, 'null'], enum: [banana]}}\n"
           "        anyOf: [{required: [type]}, {properties: {a: {items: {type: strng}}}}]\n"),
      {"t.js"});
  EXPECT_THAT(problems(report), ElementsAre("E_CONFIG_PARAMETERS_INVALID 11:69"));
}

TEST(ToolReader, KeepsTheCompiledFileOfATypescriptEntry) {
  const std::string yaml = tool("  entry: ./src/t.ts\n  exports: [{name: x}]\n");
  const auto entry = [&](std::set<std::string> files) {
    const BundleReport report = test::check_yaml(yaml, std::move(files));
    return report.ok() ? report.bundle->tools().front().entry : "";
  };
  EXPECT_EQ(entry({"src/t.ts"}), "src/t.ts");
  EXPECT_EQ(entry({"src/t.ts", "src/t.js"}), "src/t.js");
  EXPECT_EQ(entry({"src/t.ts", "src/t.js", "dist/src/t.js"}), "dist/src/t.js");
  EXPECT_EQ(entry({"t.ts"}), "");
}

TEST(ToolReader, AcceptsMixedCaseWithAWarning) {
  const BundleReport report =
      test::check_yaml(tool("  entry: t.js\n  exports: [{name: setChatAction}]\n"), {"t.js"});
  EXPECT_TRUE(report.ok());
  EXPECT_THAT(problems(report), ElementsAre("?E_CONFIG_NAME_STYLE 6:20"));
}

TEST(ToolReader, RefusesMoreExportsThanAModelCouldUse) {
  std::string exports;
  for (int i = 0; i < 257; ++i)
    exports += "{name: x" + std::to_string(i) + "}, ";
  const BundleReport report =
      test::check_yaml(tool("  entry: t.js\n  exports: [" + exports + "]\n"), {"t.js"});
  EXPECT_THAT(problems(report), ElementsAre("E_CONFIG_SCHEMA_INVALID 6:3"));
}

TEST(ToolReader, RefusesAPathWithANulInside) {
  const BundleReport report =
      test::check_yaml(tool("  entry: \"t.js\\0.png\"\n  exports: [{name: x}]\n"), {"t.js"});
  EXPECT_THAT(problems(report), ElementsAre("E_CONFIG_SCHEMA_INVALID 5:10"));
}

}  // namespace
}  // namespace goondan
